// A login with golang.org/x/oauth2 and go-oidc, as their documentation has it. Exits with 0 when the user is signed in.
package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func random() string {
	bytes := make([]byte, 16)
	_, err := rand.Read(bytes)
	check(err)
	return hex.EncodeToString(bytes)
}

func first(pattern, text string) string {
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1]
}

// signIn signs in as the first user of the sandbox's page, as a browser would.
func signIn(asked string) *url.URL {
	jar, _ := cookiejar.New(nil)
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	browser := http.Client{Jar: jar, CheckRedirect: stay}
	page, err := browser.Get(asked)
	check(err)
	if location, err := page.Location(); err == nil {
		return location
	}
	body, err := io.ReadAll(page.Body)
	check(err)
	html := string(body)
	form := url.Values{"decision": {"approve"}, "grantbench_form": {first(`name="grantbench_form" value="([^"]+)"`, html)}}
	form.Set("sub", first(`name="sub"\s+value="([^"]+)"`, html))
	for _, scope := range regexp.MustCompile(`name="scope"\s+value="([^"]+)"`).FindAllStringSubmatch(html, -1) {
		form.Add("scope", scope[1])
	}
	action, err := page.Request.URL.Parse(first(`<form method="post" action="([^"]+)"`, html))
	check(err)
	sent, err := browser.PostForm(action.String(), form)
	check(err)
	location, err := sent.Location()
	check(err)
	return location
}

func main() {
	ctx := context.Background()
	clientID := os.Getenv("GRANTBENCH_CLIENT_ID")
	provider, err := oidc.NewProvider(ctx, os.Getenv("GRANTBENCH_ISSUER"))
	check(err)
	config := oauth2.Config{
		ClientID:     clientID,
		ClientSecret: os.Getenv("GRANTBENCH_CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  "http://localhost:3000/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess},
	}
	config.Endpoint.AuthStyle = oauth2.AuthStyleInParams
	state, nonce := random(), random()
	back := signIn(config.AuthCodeURL(state, oidc.Nonce(nonce))).Query()
	if back.Get("state") != state {
		check(errors.New("another state"))
	}
	if back.Get("error") != "" {
		check(errors.New(back.Get("error")))
	}
	tokens, err := config.Exchange(ctx, back.Get("code"))
	check(err)
	raw, ok := tokens.Extra("id_token").(string)
	if !ok {
		check(errors.New("no ID token"))
	}
	idToken, err := provider.Verifier(&oidc.Config{ClientID: clientID}).Verify(ctx, raw)
	check(err)
	if idToken.Nonce != nonce {
		check(errors.New("another nonce"))
	}
	user, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
	check(err)
	// The library does not compare them.
	if user.Subject != idToken.Subject || strings.TrimSpace(user.Subject) == "" {
		check(errors.New("UserInfo of another user"))
	}
	_, err = config.TokenSource(ctx, &oauth2.Token{RefreshToken: tokens.RefreshToken}).Token()
	check(err)
}
