{% load static %}// Shows notices on this device while no page of the site is open, and opens the page of one that is clicked.
self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const { title, body, path, tag } = { title: "Pecking Order", path: "{% url 'notices:inbox' %}", ...read(event.data) };
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, icon: "{% static 'notices/bird.png' %}", data: { path } }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const page = new URL(event.notification.data.path, self.location.origin);
  if (page.origin === self.location.origin) event.waitUntil(self.clients.openWindow(page.href));
});

// Without a valid message, the browser would show a text of its own.
function read(data) {
  try {
    return data.json();
  } catch {
    return {};
  }
}
