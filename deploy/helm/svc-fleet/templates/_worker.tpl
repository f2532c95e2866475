{{/*
The pod of a worker: root, pool and name. A pool of Agones has the account that Agones gives to the SDK server in the
pod, which needs its token; the worker's own container does not get it.
*/}}
{{- define "svc.worker" -}}
metadata:
  labels:
    {{- include "svc.labels" .root | nindent 4 }}
    app.kubernetes.io/component: worker
    svc/pool: {{ .pool.name }}
spec:
  {{- if not .pool.agones.enabled }}
  serviceAccountName: {{ include "svc.account" .root }}
  automountServiceAccountToken: false
  {{- end }}
  {{- include "svc.pod" .root | nindent 2 }}
  # The drain needs no hook: SIGTERM begins it. No new worlds, running jobs end within drainSeconds, then the worlds
  # go to other workers.
  terminationGracePeriodSeconds: {{ add .pool.drainSeconds 60 }}
  {{- with .pool.runtimeClassName }}
  runtimeClassName: {{ . }}
  {{- end }}
  containers:
    - name: worker
      {{- include "svc.container" .root | nindent 6 }}
      args:
        - world
        - serve
        {{- include "svc.join" .root | nindent 8 }}
        - --name
        - $(POD_NAME)
        - --pool
        - {{ .pool.name | quote }}
        - --slots
        - {{ .pool.slots | quote }}
        - --take
        - {{ .pool.take | quote }}
        - --drain-seconds
        - {{ .pool.drainSeconds | quote }}
        - --host
        - 0.0.0.0
        - --port
        - "8791"
        - --advertise
        {{- if .pool.agones.enabled }}
        - http://$(POD_IP):8791
        {{- else }}
        - http://$(POD_NAME).{{ .name }}.$(POD_NAMESPACE).svc:8791
        {{- end }}
        - --log
        - json
        {{- if .root.Values.blobs.existingClaim }}
        - --blobs
        - /blobs
        {{- end }}
        {{- range .pool.args }}
        - {{ . | quote }}
        {{- end }}
      env:
        - name: POD_NAME
          valueFrom: { fieldRef: { fieldPath: metadata.name } }
        - name: POD_NAMESPACE
          valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
        - name: POD_IP
          valueFrom: { fieldRef: { fieldPath: status.podIP } }
        {{- include "svc.broker" (dict "secret" .root.Values.secrets.workerBroker) | nindent 8 }}
        - name: SVC_POOL_KEY
          valueFrom: { secretKeyRef: { name: {{ .root.Values.secrets.pool.name | quote }}, key: {{ .root.Values.secrets.pool.key | quote }} } }
        {{- with .pool.env }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports:
        - { name: http, containerPort: 8791 }
      # The model loads before it listens.
      startupProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 5
        failureThreshold: 360
      readinessProbe:
        httpGet: { path: /ready, port: http }
        periodSeconds: 5
      livenessProbe:
        # Not /ready, which is 503 while the lease is lost or the worker drains.
        httpGet: { path: /health, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      resources: {{- toYaml .pool.resources | nindent 8 }}
      volumeMounts:
        {{- include "svc.mounts" .root | nindent 8 }}
        {{- if .root.Values.blobs.existingClaim }}
        - { name: blobs, mountPath: /blobs }
        {{- end }}
        {{- with .pool.volumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    {{- include "svc.volumes" .root | nindent 4 }}
    {{- include "svc.blobs" .root | nindent 4 }}
    {{- with .pool.volumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .pool.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .pool.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .pool.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
