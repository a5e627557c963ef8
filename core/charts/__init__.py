"""One style for all drawings: Plotly figures for the screen, matplotlib pictures for papers.

dots = go.Scatter(x=means, y=rows, **hover(words), error_x=interval_bars(spreads, TEAL))
figure = lay_out(go.Figure(dots), "Mean score", font_of(ink), height, MARGIN)
drawn = DrawnFigure("scores", "Scores", figure, table)
"""
