"""Home Assistant's own code with a broker of its own: plays a script of steps and prints what came of them.

home_assistant.py FOLDER STEPS

STEPS is a file with a JSON array. Each step is an object with one of these:
  setup    [integration, YAML]: as a user's configuration has it
  publish  {"topic", "payload", "retain"}: as a site does
  until    {entity: state}: waits until entities have these states, {entity: {attribute: value}}: these attributes, or
           {entity: null}: until there is no such entity
  call     [domain, service, data]: as a user does, and waits for its end
  orders   waits until so many messages came to `set` topics, and of Home Assistant's start
  look     prints one line of JSON: all states, devices, what Home Assistant has published, and what its log complains of

It is Home Assistant's core with its MQTT integration, connected by TLS to Mosquitto; there is no frontend, so the web
server and uploads, which the integration names as needed, only seem to be there.
"""

import asyncio
import json
import logging
import os
import socket
import subprocess
import sys
import time
from unittest.mock import MagicMock

import paho.mqtt.client as paho
from homeassistant import bootstrap, config_entries, core, loader
from homeassistant.helpers import device_registry, entity_registry
from homeassistant.setup import async_setup_component
from homeassistant.util.yaml import parse_yaml

folder, steps = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8"))
# How long an awaited state may take. Home Assistant waits up to a second itself before it subscribes.
PATIENCE = 15


class Complaints(logging.Handler):
    """What the log says against our messages."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        # Of the helper that watches how integrations are written, also Home Assistant's own.
        if record.name != "homeassistant.helpers.frame":
            self.lines.append(f"{record.name}: {record.getMessage()[:600]}")


def start_broker():
    """Mosquitto with a certificate of its own, at a free port."""
    key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
         "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
        check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open(f"{folder}/mosquitto.conf", "w", encoding="utf-8") as file:
        file.write(f"listener {port} 127.0.0.1\ncertfile {certificate}\nkeyfile {key}\nallow_anonymous true\n")
        if os.getuid() == 0:
            file.write("user root\n")
    broker = subprocess.Popen(["mosquitto", "-c", f"{folder}/mosquitto.conf"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=os.environ | {"PATH": os.environ["PATH"] + ":/usr/sbin"})
    end = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return broker, port, certificate
        except OSError:
            if time.monotonic() > end or broker.poll() is not None:
                broker.kill()
                raise
            time.sleep(0.02)


async def start_home_assistant(port, certificate):
    home = f"{folder}/home"
    os.makedirs(home)
    with open(f"{home}/configuration.yaml", "w", encoding="utf-8"):
        pass
    hass = core.HomeAssistant(home)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.http = MagicMock()
    hass.config.components.update(["http", "file_upload"])
    assert await async_setup_component(hass, "homeassistant", {})
    hass.set_state(core.CoreState.running)
    with open(certificate, encoding="utf-8") as file:
        data = {"broker": "localhost", "port": port, "certificate": file.read(), "protocol": "5"}
    entry = config_entries.ConfigEntry(
        domain="mqtt", title="broker", data=data, options={}, version=1, minor_version=2, source="user", unique_id=None,
        discovery_keys={}, subentries_data=None)
    await hass.config_entries.async_add(entry)
    await hass.async_block_till_done()
    assert entry.state is config_entries.ConfigEntryState.LOADED, entry.reason
    return hass


def is_so(hass, wanted):
    for entity, value in wanted.items():
        state = hass.states.get(entity)
        if value is None:
            if state is not None:
                return False
        elif state is None:
            return False
        elif isinstance(value, dict):
            if any(state.attributes.get(name) != attribute for name, attribute in value.items()):
                return False
        elif state.state != value:
            return False
    return True


async def play(hass, site, orders, complaints):
    for step in steps:
        if "publish" in step:
            message = step["publish"]
            site.publish(message["topic"], message["payload"], 1, message.get("retain", False))
        elif "until" in step:
            end = time.monotonic() + PATIENCE
            while not is_so(hass, step["until"]):
                if time.monotonic() > end:
                    seen = {entity: str(hass.states.get(entity)) for entity in step["until"]}
                    raise TimeoutError(f"not so: {step['until']}; it is {seen}; {complaints.lines}")
                await asyncio.sleep(0.02)
        elif "setup" in step:
            domain, text = step["setup"]
            assert await async_setup_component(hass, domain, {domain: parse_yaml(text)}), complaints.lines
        elif "call" in step:
            domain, service, data = step["call"]
            await hass.services.async_call(domain, service, data, blocking=True)
        elif "orders" in step:
            end = time.monotonic() + PATIENCE
            while len(orders) < step["orders"]:
                if time.monotonic() > end:
                    raise TimeoutError(f"not {step['orders']} orders: {orders}")
                await asyncio.sleep(0.02)
        else:
            await hass.async_block_till_done()
            print(json.dumps({
                "states": {state.entity_id: {"state": state.state, "attributes": state.attributes}
                           for state in hass.states.async_all()},
                "devices": [{"name": device.name, "version": device.sw_version, "via": device.via_device_id is not None}
                            for device in device_registry.async_get(hass).devices.values()],
                "entities": {entity.entity_id: entity.unique_id
                             for entity in entity_registry.async_get(hass).entities.values()},
                "orders": orders, "complaints": complaints.lines,
            }, default=str), flush=True)
            orders.clear()


async def main():
    complaints = Complaints()
    logging.getLogger().addHandler(complaints)
    broker, port, certificate = start_broker()
    try:
        orders = []
        site = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        site.tls_set(certificate)
        site.on_message = lambda _client, _data, message: orders.append([message.topic, message.payload.decode()])
        subscribed = asyncio.Event()
        loop = asyncio.get_running_loop()
        site.on_subscribe = lambda *_: loop.call_soon_threadsafe(subscribed.set)
        site.connect("localhost", port)
        site.subscribe([("showcaller/+/+/set", 1), ("homeassistant/status", 1)])
        site.loop_start()
        await asyncio.wait_for(subscribed.wait(), PATIENCE)
        hass = await start_home_assistant(port, certificate)
        await play(hass, site, orders, complaints)
        await hass.async_stop(force=True)
        site.disconnect()
        site.loop_stop()
    finally:
        broker.terminate()
        broker.wait(10)


asyncio.run(asyncio.wait_for(main(), 100))
