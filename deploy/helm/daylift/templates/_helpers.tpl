{{- define "daylift.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}

{{/* Selector labels, which never change. Takes (list $ "accounts"). */}}
{{- define "daylift.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ default $root.Chart.Name $root.Values.nameOverride }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* All labels of an object. Takes (list $ "accounts"). */}}
{{- define "daylift.labels" -}}
{{- $root := index . 0 -}}
{{ include "daylift.selector" . }}
app.kubernetes.io/part-of: daylift
app.kubernetes.io/version: {{ default $root.Chart.AppVersion $root.Values.image.tag | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- end }}

{{/* The workloads of this release as YAML, including the sandbox if it's enabled. */}}
{{- define "daylift.workloads" -}}
{{- if .Values.sandbox.enabled -}}
{{- toYaml .Values.workloads }}
{{- else -}}
{{- toYaml (omit .Values.workloads "sandbox") }}
{{- end }}
{{- end }}

{{- define "daylift.image" -}}
{{- $root := index . 0 -}}
{{- printf "%s/%s:%s" $root.Values.image.registry (index . 1) (default $root.Chart.AppVersion $root.Values.image.tag) }}
{{- end }}

{{- define "daylift.port" -}}
{{- if eq . "sandbox" }}8090{{ else }}8080{{ end }}
{{- end }}

{{/* Port of probes and metrics; the sandbox has one port. */}}
{{- define "daylift.opsPort" -}}
{{- if eq . "sandbox" }}8090{{ else }}9090{{ end }}
{{- end }}

{{/* URL of a workload inside the cluster. Takes (list $ "accounts"). */}}
{{- define "daylift.url" -}}
{{- $root := index . 0 -}}
{{- printf "http://%s-%s.%s.svc:%s" (include "daylift.fullname" $root) (index . 1) $root.Release.Namespace (include "daylift.port" (index . 1)) }}
{{- end }}

{{- define "daylift.secretName" -}}
{{- $root := index . 0 -}}
{{- printf "%s-%s" $root.Values.secrets.prefix (index . 1) }}
{{- end }}

{{/* The Secret keys that a workload reads, as JSON. Takes (list $ workload). */}}
{{- define "daylift.secretKeys" -}}
{{- $root := index . 0 -}}
{{- $workload := index . 1 -}}
{{- $keys := $workload.secretKeys -}}
{{- if $root.Values.sandbox.enabled -}}
{{- /* The sandbox receives the mail, and its address isn't secret. */ -}}
{{- $keys = without $keys "SMTP_URL" -}}
{{- end -}}
{{- if and $root.Values.firstOwner.fromSecret (eq $workload.service "accounts") -}}
{{- $keys = concat $keys (list "ADMIN_USERNAME" "ADMIN_PASSWORD") -}}
{{- end -}}
{{- if and $root.Values.telemetry.endpoint $root.Values.telemetry.headersFromSecret (ne $workload.service "sandbox") -}}
{{- $keys = append $keys "OTEL_EXPORTER_OTLP_HEADERS" -}}
{{- end -}}
{{- toJson $keys -}}
{{- end }}

{{/* Secrets are mounted as files, to keep them out of process environments and pod descriptions. */}}
{{- define "daylift.secretEnv" -}}
{{- range . }}
- name: {{ . }}_FILE
  value: /run/secrets/daylift/{{ . }}
{{- end }}
{{- end }}

{{/* Takes (dict "name" "daylift-accounts" "keys" (list …)). */}}
{{- define "daylift.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ .name }}
    defaultMode: 0440
    items:
      {{- range .keys }}
      - {key: {{ . }}, path: {{ . }}}
      {{- end }}
{{- end }}

{{/* Additional trusted certificates: environment, mount and volume. */}}
{{- define "daylift.certificatesEnv" -}}
{{- if .Values.trustedCertificates }}
- {name: NODE_EXTRA_CA_CERTS, value: /run/certificates/ca.crt}
{{- end }}
{{- end }}

{{- define "daylift.certificatesMount" -}}
{{- if .Values.trustedCertificates }}
- {name: certificates, mountPath: /run/certificates, readOnly: true}
{{- end }}
{{- end }}

{{- define "daylift.certificatesVolume" -}}
{{- with .Values.trustedCertificates }}
- name: certificates
  configMap: {name: {{ . }}}
{{- end }}
{{- end }}

{{- define "daylift.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "daylift.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: {{ not .Values.liveUpdate }}
capabilities: {drop: [ALL]}
{{- end }}

{{/* Settings shared by all pods. */}}
{{- define "daylift.podBasics" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- include "daylift.podSecurity" . | nindent 2 }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pod.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pod.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pod.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}
