"""Notices on a device: turned on by a click, shown by the service worker, turned off again."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import people
from tests.browser.chromium import until
from tests.browser.running import Site
from tests.notices.push_service import Browser as PushService

pytestmark = [pytest.mark.browser]

# Chromium without a window reaches no push service and shows no notification: a subscription is given, and what would
# be shown is stored.
SUBSCRIBED = """
const given = %s;
const subscription = {
  endpoint: given.endpoint,
  toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
  unsubscribe: async () => { localStorage.removeItem("subscribed"); return true; },
};
PushManager.prototype.subscribe = async () => { localStorage.setItem("subscribed", "yes"); return subscription; };
PushManager.prototype.getSubscription = async () => (localStorage.getItem("subscribed") ? subscription : null);
Object.defineProperty(Notification, "permission", { get: () => "granted" });
"""
STORED = """() => {
  self.shown = [];
  self.registration.showNotification = async (title, { body, tag, data }) =>
    self.shown.push(JSON.stringify({ title, body, tag, ...data }));
}"""


def test_a_reader_turns_notices_on_for_a_device_and_off_again(somebody: Callable[[], Page], place: Site) -> None:
    page = somebody()
    page.context.grant_permissions(["notifications"], origin=place.url)
    page.add_init_script(SUBSCRIBED % json.dumps(PushService("https://push.example.org/one").subscription))
    people.sign_up(page, "pushed-one")
    page.goto("/notices/settings/")
    page.get_by_role("button", name="Turn on for this device").click()
    device = page.locator(".devices li")
    expect(device).to_contain_text("Chrome")
    expect(device).to_contain_text("This device")

    until(page, lambda: page.context.service_workers)
    (worker,) = page.context.service_workers
    worker.evaluate(STORED)
    session = page.context.new_cdp_session(page)
    registrations: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    until(page, lambda: registrations)
    (registration,) = {one["registrationId"] for one in registrations if one["scopeURL"] == f"{place.url}/notices/"}

    values = {"title": "Pecking Order", "body": "Cup has finished.", "path": "/notices/", "tag": "one"}
    for data in (json.dumps(values), "no JSON"):
        message = {"origin": f"{place.url}/", "registrationId": registration, "data": data}
        session.send("ServiceWorker.deliverPushMessage", message)
    nothing = {"title": "Pecking Order", "path": "/notices/"}
    until(page, lambda: [*map(json.loads, worker.evaluate("self.shown"))] == [values, nothing])

    device.get_by_role("button", name="Remove").click()
    expect(device).to_have_count(0)
    expect(page.get_by_role("button", name="Turn on for this device")).to_be_visible()
    page.goto("/")
    assert not page.locator("script[src*='push-device']").count()
