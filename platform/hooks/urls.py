"""A person's own webhooks, below ``/hooks/``."""

from django.urls import path

from hooks import views

app_name = "hooks"
urlpatterns = [
    path("", views.hooks, name="list"),
    path("<int:pk>/", views.hook, name="detail"),
    path("<int:pk>/rotate/", views.rotate, name="rotate"),
    path("<int:pk>/deliveries/<int:delivery>/send-again/", views.send_again, name="send-again"),
    path("<int:pk>/delete/", views.delete, name="delete"),
    path("<int:pk>/<slug:action>/", views.act, name="act"),
]
