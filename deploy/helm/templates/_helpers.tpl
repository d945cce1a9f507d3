{{- define "penstock.labels" -}}
app.kubernetes.io/name: penstock
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "penstock.metadata" -}}
name: {{ .root.Release.Name }}-{{ .part }}
labels:
  {{- include "penstock.labels" . | nindent 2 }}
{{- end }}

{{- define "penstock.secretName" -}}
{{ .Values.existingSecret | default (printf "%s-settings" .Release.Name) }}
{{- end }}

{{/* Some settings from the secret. */}}
{{- define "penstock.secretEnv" -}}
{{- range .names }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ include "penstock.secretName" $.root }}, key: {{ . }} } }
{{- end }}
{{- end }}

{{/* What all containers have. `roles`: what the process does; `secrets`: its settings from the secret; `tls`: whether its port speaks TLS. */}}
{{- define "penstock.container" -}}
name: penstock
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources:
  {{- toYaml .resources | nindent 2 }}
ports:
  - { name: http, containerPort: 8420 }
  - { name: mqtt, containerPort: 8421 }
startupProbe:
  # A process that is newer than the active server waits for one of its version.
  httpGet: { path: /healthz, port: http, scheme: {{ ternary "HTTPS" "HTTP" .tls }} }
  periodSeconds: 2
  failureThreshold: 300
livenessProbe:
  httpGet: { path: /healthz, port: http, scheme: {{ ternary "HTTPS" "HTTP" .tls }} }
  periodSeconds: 15
  timeoutSeconds: 5
env:
  - { name: ROLES, value: {{ .roles | quote }} }
  - { name: PENSTOCK_DEMO, value: "off" }
  - { name: PENSTOCK_TRUST_PROXY, value: {{ required "trustProxy: the networks of pods and load balancers" .root.Values.trustProxy | quote }} }
  {{- range $name, $value := .root.Values.settings }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
  {{- include "penstock.secretEnv" (dict "root" .root "names" .secrets) | nindent 2 }}
{{- end }}

{{- define "penstock.pod" -}}
automountServiceAccountToken: false
# A service of a release named penstock would become a variable that is no setting.
enableServiceLinks: false
terminationGracePeriodSeconds: 120
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "penstock.labels" . | nindent 8 }}
{{- end }}

{{/* One process may be away at a time. */}}
{{- define "penstock.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "penstock.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "penstock.labels" . | nindent 6 }}
{{- end }}

{{- define "penstock.autoscaler" -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "penstock.metadata" . | nindent 2 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .root.Release.Name }}-{{ .part }} }
  minReplicas: {{ .of.replicas }}
  maxReplicas: {{ .of.autoscaling.max }}
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ .of.autoscaling.cpuPercent }} } }
    {{- if .of.autoscaling.unansweredBytes }}
    - type: Pods
      pods:
        metric: { name: penstock_fleet_unanswered_bytes }
        target: { type: AverageValue, averageValue: {{ .of.autoscaling.unansweredBytes | int64 | quote }} }
    {{- end }}
  # Gateways that a process leaves connect to the others: not many at a time.
  behavior: { scaleDown: { stabilizationWindowSeconds: 600, policies: [{ type: Pods, value: 1, periodSeconds: 300 }] } }
{{- end }}
