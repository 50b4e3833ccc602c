{{/* Checks that a schema can't express: conflicting settings, and missing Secrets in the cluster. Each message
says what to do. */}}
{{- define "daylift.checks" -}}
{{- $values := .Values -}}
{{- if regexMatch "[srp]k_(live|test)_[0-9A-Za-z]{8}|whsec_[0-9A-Za-z]{8}|KEY[0-9A-F]{10}|PRIVATE KEY|://[^/ \"]*:[^/ \"]*@" (toJson $values) -}}
{{- fail "The values contain a key or password. Put it into the Secret of its service: see deploy/README.md, Secrets." -}}
{{- end -}}
{{- $outside := or $values.ingress.enabled $values.gatewayApi.enabled -}}
{{- if and $outside (eq (urlParse $values.urls.product).hostname (urlParse $values.urls.admin).hostname) -}}
{{- fail "urls.product and urls.admin have the same host: admin pages need their own host, such as https://admin.example.com." -}}
{{- end -}}
{{- if and $outside (not $values.trustedProxies) -}}
{{- fail "trustedProxies is empty: all visitors would have the ingress's address and share one visitor's limits. Name the networks of its pods, such as [10.0.0.0/8]." -}}
{{- end -}}
{{- if and $values.gatewayApi.enabled (not $values.gatewayApi.parentRefs) -}}
{{- fail "gatewayApi.parentRefs is empty: name the Gateway, such as [{name: public, namespace: gateways}]." -}}
{{- end -}}
{{- if and $values.sandbox.enabled (or (hasPrefix "https://api.stripe.com" $values.sandbox.publicUrl) (contains "telnyx.com" $values.sandbox.publicUrl)) -}}
{{- fail "sandbox.publicUrl is a real provider's URL." -}}
{{- end -}}
{{- if and (not $values.sandbox.enabled) (not $values.sms.from) -}}
{{- fail "sms.from is empty: set the sending number, such as +18885550123, or set sandbox.enabled=true for a trial without providers." -}}
{{- end -}}
{{- if and (not $values.sandbox.enabled) (not (hasPrefix "https://" $values.urls.product)) -}}
{{- fail "urls.product is not https: with live keys, webhooks and passwords need it." -}}
{{- end -}}
{{- if eq $values.image.tag "latest" -}}
{{- fail "image.tag is latest, which can't be identified or rolled back. Set a version." -}}
{{- end -}}
{{- if and $values.liveUpdate (not $values.sandbox.enabled) -}}
{{- fail "liveUpdate is for development: it needs sandbox.enabled=true." -}}
{{- end -}}
{{- if le (int64 $values.sms.leaseMs) (int64 $values.sms.providerTimeoutMs) -}}
{{- fail "sms.leaseMs must be longer than sms.providerTimeoutMs: otherwise a text would be abandoned while it is being sent." -}}
{{- end -}}
{{- $needed := add $values.shutdown.preStopSeconds 25 -}}
{{- if lt (int64 $values.shutdown.gracePeriodSeconds) $needed -}}
{{- fail (printf "shutdown.gracePeriodSeconds must be at least %d: preStopSeconds, 20 s for a clean stop, and a margin." $needed) -}}
{{- end -}}
{{- if and $values.secrets.external.enabled (not $values.secrets.external.store) -}}
{{- fail "secrets.external.store is empty: set the SecretStore with the keys." -}}
{{- end -}}
{{- if and $values.telemetry.endpoint $values.networkPolicy.enabled -}}
{{- include "daylift.checkCollectorPort" . -}}
{{- end -}}
{{- range $name, $workload := $values.workloads -}}
{{- if and $workload.autoscaling.enabled (gt (int64 $workload.autoscaling.min) (int64 $workload.autoscaling.max)) -}}
{{- fail (printf "workloads.%s.autoscaling.min is greater than max." $name) -}}
{{- end -}}
{{- end -}}
{{- if and $values.secrets.check (not $values.secrets.external.enabled) (lookup "v1" "Namespace" "" .Release.Namespace) -}}
{{- include "daylift.checkSecrets" . -}}
{{- end -}}
{{- end }}

{{- define "daylift.checkCollectorPort" -}}
{{- $url := urlParse .Values.telemetry.endpoint -}}
{{- $port := regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) | default (ternary "443" "80" (eq $url.scheme "https")) -}}
{{- $open := list -}}
{{- range .Values.networkPolicy.peers.otlp.ports -}}
{{- $open = append $open (toString (int64 .)) -}}
{{- end -}}
{{- if not (has $port $open) -}}
{{- fail (printf "telemetry.endpoint uses port %s, which networkPolicy.peers.otlp.ports does not allow: no trace would leave the pods. Set it to [%s]." $port $port) -}}
{{- end -}}
{{- end }}

{{- define "daylift.checkSecrets" -}}
{{- $root := . -}}
{{- range $_, $workload := include "daylift.workloads" . | fromYaml -}}
{{- $name := include "daylift.secretName" (list $root $workload.service) -}}
{{- $secret := lookup "v1" "Secret" $root.Release.Namespace $name -}}
{{- if not $secret -}}
{{- fail (printf "The Secret %s is missing in the namespace %s. Create it (see deploy/README.md, Secrets), or set another secrets.prefix." $name $root.Release.Namespace) -}}
{{- end -}}
{{- range include "daylift.secretKeys" (list $root $workload) | fromJsonArray -}}
{{- if not (hasKey $secret.data .) -}}
{{- fail (printf "The Secret %s has no key %s. See deploy/README.md, Secrets." $name .) -}}
{{- end -}}
{{- end -}}
{{- $stripe := b64dec (default "" (get $secret.data "STRIPE_API_KEY")) -}}
{{- $telnyx := b64dec (default "" (get $secret.data "TELNYX_API_KEY")) -}}
{{- if and $root.Values.sandbox.enabled (or (contains "_live_" $stripe) (and $telnyx (not (hasPrefix "KEYSANDBOX" $telnyx)))) -}}
{{- fail (printf "The Secret %s contains a live key, but sandbox.enabled is true. Disable the sandbox, or install it in its own namespace." $name) -}}
{{- end -}}
{{- if and (not $root.Values.sandbox.enabled) (hasPrefix "KEYSANDBOX" $telnyx) -}}
{{- fail (printf "The Secret %s contains the sandbox's key, but sandbox.enabled is false. Enable the sandbox, or use the provider's key." $name) -}}
{{- end -}}
{{- end -}}
{{- end }}
