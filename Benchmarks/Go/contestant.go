// SPDX-License-Identifier: MIT

// The Go contestant: acquires tokens through the binding, and reads each token.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"

	tessera "example.com/tessera/bindings/go"
)

type contestant struct {
	application *tessera.Application
	requests    []tessera.SilentRequest
}

func fail(problem any) {
	fmt.Fprintln(os.Stderr, problem)
	os.Exit(1)
}

func (c *contestant) acquire(index int) {
	token, err := c.application.AcquireTokenSilent(context.Background(), c.requests[index])
	if err != nil {
		fail(err)
	}
	if token.AccessToken == "" {
		fail("an empty token")
	}
}

// hit returns the median of batches of a quarter of a millisecond, in nanoseconds per call.
func (c *contestant) hit(distinct int, seconds float64) float64 {
	var times []float64
	size, position := 1, 0
	end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
	for time.Now().Before(end) || len(times) == 0 {
		start := time.Now()
		for index := 0; index < size; index++ {
			c.acquire(position)
			position = (position + 1) % distinct
		}
		spent := time.Since(start)
		if spent < 250*time.Microsecond {
			size *= 2
			continue
		}
		times = append(times, float64(spent)/float64(size))
	}
	sort.Float64s(times)
	return times[len(times)/2]
}

func (c *contestant) warm(count int) float64 {
	start := time.Now()
	for index := 0; index < count; index++ {
		c.acquire(index)
	}
	return float64(time.Since(start))
}

func read(path string) (requests []tessera.SilentRequest) {
	text, err := os.ReadFile(path)
	if err != nil {
		fail(err)
	}
	for _, line := range strings.Fields(strings.ReplaceAll(string(text), " ", "")) {
		var given struct {
			HomeAccountID string `json:"home_account_id"`
			Scopes        []string
		}
		if err := json.Unmarshal([]byte(line), &given); err != nil {
			fail(err)
		}
		requests = append(requests, tessera.SilentRequest{HomeAccountID: &given.HomeAccountID, Scopes: given.Scopes})
	}
	return requests
}

func main() {
	if len(os.Args) != 6 {
		fail("usage: contestant CLIENT AUTHORITY DIRECTORY GROUP REQUESTS")
	}
	application, err := tessera.NewApplication(tessera.Configuration{
		ClientID: os.Args[1], Authority: &os.Args[2],
		Store: &tessera.StoreOptions{Directory: &os.Args[3], Group: &os.Args[4]},
	}, nil)
	if err != nil {
		fail(err)
	}
	own := contestant{application, read(os.Args[5])}
	fmt.Println("ready")
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		var name string
		var count int
		var seconds float64
		_, _ = fmt.Sscan(input.Text(), &name, &count, &seconds)
		switch name {
		case "warm":
			fmt.Println(own.warm(count))
		case "hit":
			fmt.Println(own.hit(count, seconds))
		default:
			fail("unknown command " + name)
		}
	}
}
