"""Leads Dropbox's SDK for version 1 of the API (2.2.0, for Python 2.7) to one server of this machine.

The SDK has its hosts and certificates built in; HOST and CA in the environment say which to use instead.
"""

import os

import urllib3
from dropbox import rest, session

for name in ("API_HOST", "API_CONTENT_HOST", "API_NOTIFICATION_HOST", "WEB_HOST"):
    setattr(session.BaseSession, name, os.environ["HOST"])
rest.RESTClient.IMPL.pool_manager = urllib3.PoolManager(cert_reqs="CERT_REQUIRED", ca_certs=os.environ["CA"])
