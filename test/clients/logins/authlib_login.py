# A login with Authlib's OAuth2Session and CodeIDToken, as its documentation has it. Exits with 0 when the user is signed in.

import os
import re
import sys

import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.oidc.core import CodeIDToken

ISSUER = os.environ["GRANTBENCH_ISSUER"]
CLIENT_ID = os.environ["GRANTBENCH_CLIENT_ID"]


def sign_in(url):
    """Signs in as the first user of the sandbox's page, as a browser would."""
    browser = requests.Session()
    asked = browser.get(url, allow_redirects=False)
    if "Location" in asked.headers:
        return asked.headers["Location"]
    fields = re.findall(r'name="(grantbench_form|sub)"\s+value="([^"]+)"', asked.text)
    scopes = re.findall(r'name="scope"\s+value="([^"]+)"', asked.text)
    action = re.search(r'<form method="post" action="([^"]+)"', asked.text).group(1)
    form = [*dict(reversed(fields)).items(), ("decision", "approve"), *(("scope", one) for one in scopes)]
    sent = browser.post(requests.compat.urljoin(url, action), data=form, allow_redirects=False)
    return sent.headers["Location"]


def main():
    metadata = requests.get(f"{ISSUER}/.well-known/openid-configuration").json()
    client = OAuth2Session(
        CLIENT_ID,
        os.environ["GRANTBENCH_CLIENT_SECRET"],
        scope="openid profile email offline_access",
        redirect_uri="http://localhost:3000/callback",
        token_endpoint_auth_method="client_secret_post",
        code_challenge_method="S256",
    )
    nonce, verifier = os.urandom(16).hex(), os.urandom(32).hex()
    url, state = client.create_authorization_url(
        metadata["authorization_endpoint"], nonce=nonce, code_verifier=verifier
    )
    token = client.fetch_token(
        metadata["token_endpoint"],
        authorization_response=sign_in(url),
        state=state,
        code_verifier=verifier,
    )
    keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"]).json())
    claims = jwt.decode(
        token["id_token"],
        keys,
        claims_cls=CodeIDToken,
        claims_options={"iss": {"value": ISSUER}, "aud": {"value": CLIENT_ID}},
        claims_params={"nonce": nonce, "client_id": CLIENT_ID, "access_token": token["access_token"]},
    )
    claims.validate(leeway=120)
    user = client.get(metadata["userinfo_endpoint"])
    user.raise_for_status()
    # The library does not compare them.
    if user.json()["sub"] != claims["sub"]:
        sys.exit("UserInfo of another user")
    client.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])


main()
