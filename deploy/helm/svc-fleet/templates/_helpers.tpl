{{- define "svc.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "svc.labels" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "svc.select" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "svc.account" -}}
{{- .Values.serviceAccount.name | default (ternary (include "svc.name" .) "default" .Values.serviceAccount.create) -}}
{{- end }}

{{- define "svc.image" -}}
{{- $repository := required "image.repository is missing: build packaging/Containerfile and push it somewhere" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "svc.join" -}}
{{- $url := required "nats.url is missing: expected the NATS servers, such as tls://nats.nats.svc:4222" .Values.nats.url -}}
- --join
- {{ $url | quote }}
{{- if .Values.nats.ca.secretName }}
- --nats-ca
- /etc/svc/nats/{{ .Values.nats.ca.key }}
{{- end }}
{{- end }}

{{/* Users of the NATS servers. */}}
{{- define "svc.broker" -}}
{{- range tuple "SVC_NATS_USER" "SVC_NATS_PASSWORD" }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $.secret | quote }}, key: {{ . }} } }
{{- end }}
{{- end }}

{{- define "svc.pod" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "svc.container" -}}
image: {{ include "svc.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Folders of every pod: the root is read-only. */}}
{{- define "svc.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- if .Values.nats.ca.secretName }}
- { name: nats-ca, mountPath: /etc/svc/nats, readOnly: true }
{{- end }}
{{- end }}

{{- define "svc.volumes" -}}
- { name: data, emptyDir: {} }
- { name: tmp, emptyDir: {} }
{{- if .Values.nats.ca.secretName }}
- name: nats-ca
  secret: { secretName: {{ .Values.nats.ca.secretName | quote }} }
{{- end }}
{{- end }}

{{- define "svc.blobs" -}}
{{- if .Values.blobs.existingClaim }}
- name: blobs
  persistentVolumeClaim: { claimName: {{ .Values.blobs.existingClaim | quote }} }
{{- end }}
{{- end }}
