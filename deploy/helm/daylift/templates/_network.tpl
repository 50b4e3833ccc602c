{{- define "daylift.egressToDns" -}}
- to:
    {{- toYaml .Values.networkPolicy.dnsTo | nindent 4 }}
  ports:
    - {protocol: UDP, port: 53}
    - {protocol: TCP, port: 53}
{{- end }}

{{/* Egress to an external server. Takes (list $ "postgres"). */}}
{{- define "daylift.egressToPeer" -}}
{{- $peer := index (index . 0).Values.networkPolicy.peers (index . 1) -}}
- ports:
    {{- range $peer.ports }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
  {{- with $peer.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* Our own pods as a NetworkPolicy peer. Takes (list $ "accounts"). */}}
{{- define "daylift.ourPods" -}}
podSelector:
  matchLabels:
    {{- include "daylift.selector" . | nindent 4 }}
{{- end }}
