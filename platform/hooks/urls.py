"""URLs of a user's webhooks, below ``/hooks/``."""

from django.urls import path

from hooks import api, views

app_name = "hooks"
urlpatterns = [
    path("", views.hook_list_view, name="list"),
    path("<int:pk>/", views.hook_detail_view, name="detail"),
    path("<int:pk>/rotate/", views.hook_secret_rotate_view, name="rotate"),
    path("<int:pk>/deliveries/<int:delivery>/send-again/", views.hook_delivery_send_again_view, name="send-again"),
    path("<int:pk>/delete/", views.hook_delete_view, name="delete"),
    path("<int:pk>/<slug:action>/", views.hook_act_view, name="act"),
]


api_urlpatterns = [
    path("", api.HooksView.as_view(), name="hooks"),
    path("<int:pk>/", api.HookView.as_view(), name="hook"),
    path("<int:pk>/rotate/", api.RotateView.as_view(), name="rotate"),
    path("<int:pk>/pause/", api.PauseView.as_view(), name="pause"),
    path("<int:pk>/resume/", api.ResumeView.as_view(), name="resume"),
    path("<int:pk>/test/", api.TestView.as_view(), name="test"),
    path("<int:pk>/deliveries/", api.DeliveriesView.as_view(), name="deliveries"),
    path("<int:pk>/deliveries/<int:delivery>/send-again/", api.SendAgainView.as_view(), name="send-again"),
]
