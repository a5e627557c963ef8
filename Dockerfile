# Idea Foundry in a container: `docker build -t idea-foundry .`, or podman. How it is run: README, "On a server", and assets/deploy/compose.yaml.
# Any base will do that has Python 3.11 or newer with its venv module.
ARG BASE=python:3.12-slim

FROM ${BASE} AS packages
# Where the build of torch for processors alone is: the plain one brings several GB of CUDA libraries.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
COPY requirements.txt /tmp/
RUN python3 -m venv /opt/packages \
 && /opt/packages/bin/pip install --index-url "$TORCH_INDEX" "$(grep -o '^torch==[0-9.]*' /tmp/requirements.txt)" \
 && /opt/packages/bin/pip install -r /tmp/requirements.txt

FROM ${BASE}
COPY --from=packages /opt/packages /opt/packages
COPY . /opt/idea-foundry
# To be read by all, whatever the rights were where it was copied from, and compiled, since nothing can be written there later.
# The user has a number and nothing else: no shell, no home, no password.
RUN chmod -R a+rX /opt/idea-foundry \
 && /opt/packages/bin/python -m compileall -q /opt/idea-foundry/core /opt/idea-foundry/components /opt/idea-foundry/pages \
 && mkdir -m 700 /data /backups && chown 10001:10001 /data /backups
WORKDIR /opt/idea-foundry
ENV PATH=/opt/packages/bin:$PATH \
    FOUNDRY_DATA=/data \
    HOME=/tmp \
    HF_HUB_OFFLINE=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
USER 10001:10001
VOLUME /data
EXPOSE 8501
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
# On this address it starts only with FOUNDRY_PASSWORD, or with a login service.
CMD ["streamlit", "run", "app.py", "--server.address", "0.0.0.0", "--server.port", "8501"]
