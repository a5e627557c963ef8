// Plays the pages of a deck (core/cases/replay.py) in `root`; texts are set as text, never as
// markup. Returns what gives it another theme, and what takes it away again.
function replay(root, deck, options) {
  const SPEEDS = [0.5, 1, 2, 4, 8]
  const LEAST = 2.6, MOST = 5
  const make = (tag, name, text, above) => {
    const made = document.createElement(tag)
    if (name) made.className = name
    if (text !== undefined) made.textContent = text
    if (above) above.append(made)
    return made
  }
  const draw = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag)
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
    return made
  }
  const pages = deck.pages, slides = deck.slides
  const lengths = pages.map((page) => page.seconds + page.rest)
  const begins = lengths.map((_, n) => lengths.slice(0, n).reduce((sum, one) => sum + one, 0))
  const whole = lengths.reduce((sum, one) => sum + one, 0)
  const milestones = [{ page: 0, name: "The beginning" }]
  pages.forEach((page, n) => {
    const name = page.slide >= 0 ? slides[page.slide].milestone : ""
    if (name && pages[n - 1].slide !== page.slide) milestones.push({ page: n, name })
  })

  let n = 0, second = 0, going = false, speed = 1, frame = 0, before = 0, told = -1
  let presenter = null, words = []

  // -- what is on the screen --------------------------------------------------------------------
  const box = make("section", options.full ? "replay whole" : "replay framed", undefined, root)
  box.setAttribute("aria-label", deck.title)
  const head = make("header", "head", undefined, box)
  const where = make("span", "where", undefined, head)
  const actor = make("span", "actor", undefined, head)
  const does = make("span", "does", undefined, head)
  const part = make("span", "part", undefined, head)
  const about = make("div", "about", undefined, head)
  const graph = draw("svg", { viewBox: `0 0 ${deck.size[0]} ${deck.size[1]}`, role: "img" })
  box.append(graph)
  const body = make("div", "body", undefined, box)
  const says = make("div", "says", undefined, body)
  const beside = make("aside", "beside", undefined, body)
  says.tabIndex = 0
  beside.tabIndex = 0
  says.setAttribute("role", "region")
  says.setAttribute("aria-label", "What is said")
  beside.setAttribute("aria-label", "The remarks that the changes answer")
  const notes = make("div", "notes", undefined, box)
  notes.hidden = true
  notes.setAttribute("role", "region")
  notes.setAttribute("aria-label", "Speaker's notes")
  const foot = make("footer", "foot", undefined, box)
  const bar = make("div", "bar", undefined, foot)
  const slider = make("input", "", undefined, bar)
  Object.assign(slider, { type: "range", min: 0, max: whole, step: "any" })
  slider.setAttribute("aria-label", "Progress")
  const button = (text, label, does, name) => {
    const made = make("button", name || "", text, foot)
    made.type = "button"
    made.title = label
    if (!/\w/.test(text)) made.setAttribute("aria-label", label)
    made.addEventListener("click", does)
    return made
  }
  button("|‹", "To the start (Home)", () => go(0))
  button("‹", "Back (←)", () => step(-1))
  const play = button("Play", "Play or pause (space bar)", () => toggle(), "go")
  button("›", "Next (→)", () => step(1))
  button("›|", "To the end (End)", () => go(pages.length - 1))
  const jump = make("select", "", undefined, foot)
  jump.setAttribute("aria-label", "Jump to")
  milestones.forEach((one, k) => {
    make("option", "", k < 11 && k > 0 ? `${k - 1}  ${one.name}` : one.name, jump).value = k
  })
  jump.addEventListener("change", () => {
    go(milestones[jump.value].page)
    jump.blur()
  })
  const pace = make("select", "", undefined, foot)
  pace.setAttribute("aria-label", "Speed")
  SPEEDS.forEach((one) => { make("option", "", `${one}×`, pace).value = one })
  pace.value = 1
  pace.addEventListener("change", () => {
    speed = Number(pace.value)
    pace.blur()
  })
  const left = make("span", "left", undefined, foot)
  make("span", "gap", undefined, foot)
  make("span", "mark", deck.mark, foot)
  const carries = slides.some((slide) => slide.notes.length)
  if (carries) {
    button("Notes", "Show the speaker's notes here (N)", () => { toggleNotes() })
    button("Presenter", "Notes in a window of their own (P)", () => present())
  }
  button("Keys", "What the keys do (?)", () => { keys.hidden = !keys.hidden })
  if (options.larger) button("Projector", "Fill the screen (for a room)", () => options.larger(moment(), going))
  if (options.leave) button("Leave", "Back to the usual screen (Esc)", () => options.leave(moment(), going))
  const keys = make("div", "keys", undefined, box)
  keys.hidden = true
  const list = make("dl", "", undefined, keys)
  const known = [
    ["space", "play, pause"], ["← →", "a step (also Page up, Page down)"],
    ["↑ ↓", "the milestone before, after"], ["0 … 9", "to a milestone by its number"],
    ["Home End", "start, end"], ["+ −", "faster, slower"], ["F", "full screen"],
    ["?", "this list, and away again"],
  ]
  if (carries) known.push(["N", "speaker's notes"], ["P", "notes in a second window"])
  if (options.leave) known.push(["Esc", "leave"])
  for (const [key, what] of known) {
    make("dt", "", key, list)
    make("dd", "", what, list)
  }

  // -- a page -----------------------------------------------------------------------------------
  function show() {
    const page = pages[n], slide = slides[page.slide]
    where.textContent = slide ? slide.where : ""
    where.hidden = !where.textContent
    actor.textContent = slide ? slide.called : ""
    actor.hidden = !actor.textContent
    box.style.setProperty("--actor", (slide && slide.colour) || "transparent")
    does.textContent = slide ? slide.does : deck.method
    about.textContent = slide ? slide.title : ""
    about.hidden = !about.textContent
    const same = pages.filter((one) => one.slide === page.slide)
    part.textContent = same.length > 1 ? `${same.indexOf(page) + 1} of ${same.length}` : ""
    drawGraph(slide, page.slide)
    says.replaceChildren()
    words = []
    if (!slide) make("h1", "title", deck.title, says)
    page.says.forEach((one) => says.append(paragraph(one)))
    beside.replaceChildren()
    beside.hidden = !page.beside.length
    if (page.beside.length) {
      make("p", "label", "The changes answer, as the generator says:", beside)
      for (const [name, text] of page.beside) {
        const remark = make("p", "", undefined, beside)
        make("span", "remark", name, remark)
        remark.append(` ${text}`)
      }
    }
    notes.replaceChildren()
    const noted = slide ? slide.notes : []
    noted.forEach((text) => make("p", "", text, notes))
    if (!noted.length) make("p", "emphasis", "No note on this.", notes)
    says.scrollTop = beside.scrollTop = 0
    told = -1
    const passed = milestones.filter((one) => one.page <= n)
    jump.value = passed.length - 1
    fit()
    tellPresenter()
  }

  function paragraph(one) {
    const made = make("p", one.point ? "point" : "")
    for (const [text, look] of one.spans) {
      // A word is said together with the space before it, so a mark runs through.
      for (const word of text.match(/\s*\S+|\s+$/g) || []) {
        const said = make("span", look === "plain" ? "" : look, look === "remark" ? word.trim().replace(/,$/, "") : word, made)
        words.push(said)
      }
    }
    return made
  }

  function drawGraph(slide, at) {
    const drawn = slide && slide.branch ? deck.graphs[slide.branch] : null
    graph.toggleAttribute("hidden", !drawn)
    graph.replaceChildren()
    if (!drawn) return
    graph.setAttribute("aria-label", "The chain of papers so far")
    graph.style.setProperty("--lane", drawn.colour)
    for (const { tag, text, since, paper, ...attributes } of drawn.shapes) {
      const shape = draw(tag, attributes)
      if (text !== undefined) shape.textContent = text
      if (since > at) shape.classList.add("later")
      if (paper && paper === slide.paper) shape.classList.add("now")
      graph.append(shape)
    }
  }

  // The largest type in which the page fits.
  function fit() {
    const unit = Math.min(box.clientHeight, box.clientWidth * 0.5625) / 100
    box.style.setProperty("--u", `${Math.max(unit, 4.6)}px`)
    let low = LEAST, high = MOST
    for (let k = 0; k < 6; k += 1) {
      const tried = (low + high) / 2
      body.style.setProperty("--type", tried)
      const over = [says, beside].some((one) => one.scrollHeight > one.clientHeight + 1)
      if (over) high = tried
      else low = tried
    }
    body.style.setProperty("--type", low)
  }

  function reveal() {
    const page = pages[n]
    const share = page.seconds ? Math.min(second / page.seconds, 1) : 1
    // The opening stands at once: it is known before anything plays.
    const said = page.slide < 0 ? words.length : Math.floor(share * words.length + 1e-9)
    if (said !== told) {
      words.forEach((word, k) => word.classList.toggle("unsaid", k >= said))
      const newest = words[said - 1]
      if (going && newest && says.scrollHeight > says.clientHeight) newest.scrollIntoView({ block: "nearest" })
      told = said
    }
    beside.classList.toggle("unsaid", share < 0.05)
    const passed = begins[n] + second
    if (document.activeElement !== slider || going) slider.value = passed
    const minutes = Math.max(0, Math.round((whole - passed) / speed))
    left.textContent = ended() ? "The end" : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")} left`
    play.textContent = going ? "Pause" : ended() ? "Play again" : "Play"
    box.dataset.page = n
    box.dataset.going = going
    if (options.moved) options.moved(moment(), going)
  }

  const ended = () => n === pages.length - 1 && second >= pages[n].seconds

  // Where that is on the tape of the run, in seconds.
  function moment() {
    const [start, end] = pages[n].tape
    return start + (end - start) * (pages[n].seconds ? Math.min(second / pages[n].seconds, 1) : 1)
  }

  // -- moving -----------------------------------------------------------------------------------
  function go(page, at) {
    n = Math.min(Math.max(page, 0), pages.length - 1)
    second = at === undefined ? (going ? 0 : pages[n].seconds) : at
    if (page === pages.length - 1 && at === undefined) {
      second = pages[n].seconds
      hold()
    }
    show()
    reveal()
  }

  function step(by) {
    const whole = second >= pages[n].seconds
    hold()
    if (by > 0 && !whole) go(n, pages[n].seconds)
    else go(n + by, pages[Math.min(Math.max(n + by, 0), pages.length - 1)].seconds)
  }

  function leap(by) {
    const passed = milestones.filter((one) => one.page <= n).length - 1
    const there = milestones[passed].page < n && by < 0 ? passed : passed + by
    go(milestones[Math.min(Math.max(there, 0), milestones.length - 1)].page)
  }

  function seek(passed) {
    const there = begins.filter((begin) => begin <= passed).length - 1
    go(there, Math.min(passed - begins[there], lengths[there]))
  }

  function hold() {
    going = false
    cancelAnimationFrame(frame)
  }

  function toggle() {
    if (going) {
      hold()
      reveal()
      return
    }
    if (ended()) go(0, 0)
    going = true
    before = performance.now()
    frame = requestAnimationFrame(tick)
    reveal()
  }

  function tick(now) {
    if (!going) return
    second += Math.min(now - before, 1000) / 1000 * speed
    before = now
    if (ended()) {
      second = pages[n].seconds
      hold()
    } else if (second >= lengths[n]) {
      go(n + 1, 0)
    }
    reveal()
    if (going) frame = requestAnimationFrame(tick)
  }

  function faster(by) {
    const at = SPEEDS.indexOf(speed) + by
    speed = SPEEDS[Math.min(Math.max(at, 0), SPEEDS.length - 1)]
    pace.value = speed
    reveal()
  }

  // -- the presenter ----------------------------------------------------------------------------
  function toggleNotes() {
    notes.hidden = !notes.hidden
    fit()
  }

  function present() {
    if (presenter && !presenter.closed) {
      presenter.focus()
      return
    }
    presenter = window.open("", "", "width=720,height=560")
    if (!presenter) {
      toggleNotes()
      return
    }
    presenter.document.title = `Notes: ${deck.title}`
    presenter.addEventListener("keydown", heard)
    tellPresenter()
  }

  function tellPresenter() {
    if (!presenter || presenter.closed) return
    const page = pages[n], slide = slides[page.slide], next = slides[page.slide + 1]
    const name = (one) => one ? [one.where, one.called, one.does].filter(Boolean).join(" · ") : deck.title
    const sheet = presenter.document.body
    sheet.replaceChildren()
    Object.assign(sheet.style, { font: "22px/1.4 system-ui, sans-serif", margin: "24px" })
    make("h1", "", name(slide), sheet).style.fontSize = "26px"
    for (const text of (slide && slide.notes.length ? slide.notes : ["No note on this."])) make("p", "", text, sheet)
    make("p", "", next ? `Next: ${name(next)}` : "This is the end.", sheet).style.color = "#6a7078"
  }

  // -- keys -------------------------------------------------------------------------------------
  const DOES = {
    " ": () => toggle(), "ArrowRight": () => step(1), "PageDown": () => step(1),
    "ArrowLeft": () => step(-1), "PageUp": () => step(-1),
    "ArrowDown": () => leap(1), "ArrowUp": () => leap(-1),
    "Home": () => go(0), "End": () => go(pages.length - 1),
    "+": () => faster(1), "-": () => faster(-1), "?": () => { keys.hidden = !keys.hidden },
    "f": () => fill(), "n": () => { if (carries) toggleNotes() }, "p": () => { if (carries) present() },
  }
  DOES.Escape = () => {
    if (!keys.hidden) keys.hidden = true
    else if (options.leave) options.leave(moment(), going)
  }
  function fill() {
    if (document.fullscreenElement) document.exitFullscreen()
    else if (box.requestFullscreen) box.requestFullscreen()
  }
  function heard(event) {
    const at = event.composedPath ? event.composedPath()[0] : event.target
    const inside = box.contains(at)
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    const typed = at.closest && at.closest("input, textarea, select, [contenteditable=true], [role=combobox], [role=listbox]")
    if (typed && !inside) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    // What is chosen from a list, and pushed on the bar, is theirs; the space bar always plays.
    if (typed && key !== " " && key !== "Escape") return
    const digit = /^[0-9]$/.test(key) && milestones[Number(key) + 1]
    const does = digit ? () => go(digit.page) : DOES[key]
    if (!does) return
    event.preventDefault()
    event.stopImmediatePropagation()
    // Held down, it would play and pause by turns.
    if (event.type === "keydown" && !(event.repeat && key === " ")) does()
  }
  // A button is pressed when the space bar comes up again.
  const released = (event) => { if (event.key === " ") heard(event) }
  window.addEventListener("keydown", heard, true)
  window.addEventListener("keyup", released, true)
  slider.addEventListener("input", () => seek(Number(slider.value)))
  slider.addEventListener("change", () => slider.blur())

  // -- theme and size ---------------------------------------------------------------------------
  const dark = window.matchMedia("(prefers-color-scheme: dark)")
  let theme = options.theme
  const dress = () => { box.dataset.theme = theme || (dark.matches ? "dark" : "light") }
  dark.addEventListener("change", dress)
  dress()
  const sized = new ResizeObserver(() => { fit() })
  sized.observe(box)
  if (options.top && box.showPopover) {
    // Above everything that is on the page.
    box.popover = "manual"
    box.showPopover()
  }
  if (options.at !== undefined) {
    let there = pages.findIndex((page) => page.tape[1] >= options.at - 0.06)
    if (there < 0) there = pages.length - 1
    const [start, end] = pages[there].tape
    const share = end > start ? Math.min(Math.max((options.at - start) / (end - start), 0), 1) : 1
    go(options.at <= 0 ? 0 : there, options.at <= 0 ? pages[0].seconds : share * pages[there].seconds)
  } else {
    go(0)
  }
  if (options.going) toggle()
  const wear = (chosen) => {
    theme = chosen
    dress()
  }
  const close = () => {
    hold()
    sized.disconnect()
    dark.removeEventListener("change", dress)
    window.removeEventListener("keydown", heard, true)
    window.removeEventListener("keyup", released, true)
    if (presenter && !presenter.closed) presenter.close()
    box.remove()
  }
  return { wear, close }
}
