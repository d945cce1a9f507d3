// Alerts and dashboards may name only metrics that the server exposes.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '../main/settings.ts'
import { until } from './front-door.ts'
import { type House, startHouse } from './house.ts'

const file = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
let house: House
beforeAll(async () => {
  house = await startHouse()
})
afterAll(() => house?.close())

const [rules, dashboard] = [file('deploy/prometheus-rules.yaml'), file('deploy/grafana.json')]

test('each figure of an alert or a dashboard is one of /metrics', async () => {
  const known = async () => {
    const text = await (await fetch(`${house.origin}/metrics`)).text()
    return text.includes('penstock_months_ahead{') && new Set(text.match(/^# TYPE \S+/gm)!.map((line) => line.slice('# TYPE '.length)))
  }
  const figures = await until('the months to be looked at', known)
  const named = new Set(`${rules}${dashboard}`.match(/\bpenstock_\w+/g))
  expect([...named].filter((name) => !figures.has(name))).toEqual([])
  expect(named.size).toBeGreaterThan(20)
})

test('each alert has its part of the runbook, and each part its alert', () => {
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
  expect([...rules.matchAll(/runbook_url: docs\/runbook\.md#(\w+)/g)].map(([, anchor]) => anchor)).toEqual(
    alerts.map((a) => a.toLowerCase()),
  )
  expect([...file('docs/runbook.md').matchAll(/^## (\w+)/gm)].map(([, name]) => name)).toEqual(alerts)
})

test('the dashboard is one of Grafana, with a query in each panel', () => {
  const { panels } = JSON.parse(dashboard) as { panels: { title: string; targets: { expr: string }[] }[] }
  for (const { title, targets } of panels) expect([title, targets.every(({ expr }) => expr.includes('penstock_'))]).toEqual([title, true])
})

test('each setting of a deployment is one that the server knows', () => {
  const ofChart = [
    'values.yaml',
    'templates/_helpers.tpl',
    ...['servers', 'api', 'ingest', 'gateways'].map((part) => `templates/${part}.yaml`),
  ]
  const files = ['compose.yaml', 'fleet.compose.yaml', 'penstock.service', 'penstock@.service', 'Containerfile']
  files.push(...ofChart.map((name) => `helm/${name}`))
  const named = files.flatMap((name) => file(`deploy/${name}`).match(/\b(PENSTOCK_[A-Z_]+|[A-Z0-9]+_URL|ROLES)(?=[:="]|, value:)/g) ?? [])
  const readme = file('README.md')
  expect([...new Set(named)].filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  expect(named).toContain('NATS_URL')
})

const hasHelm = spawnSync('helm', ['version']).status === 0
/** The documents that the chart renders with these values, as `kind name` and text. */
const rendered = (values: object) => {
  const given = Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  const text = execFileSync('helm', ['template', 'penstock', 'deploy/helm', ...given], { encoding: 'utf8' })
  return new Map(
    text.split(/^---$/m).flatMap((part) => {
      const [, kind] = /^kind: (\w+)$/m.exec(part) ?? []
      return kind ? [[`${kind} ${/^ {2}name: (\S+)$/m.exec(part)![1]}`, part] as const] : []
    }),
  )
}

test.skipIf(!hasHelm)('each container of the chart starts with its settings, and no release turns into one (skipped without helm)', () => {
  const secret = {
    ...{ DATABASE_URL: 'postgres://a', CLICKHOUSE_URL: 'http://b', S3_URL: 'https://k:s@c/d', NATS_URL: 'nats://e' },
    ...{
      PENSTOCK_VAULT_KEY: Buffer.alloc(32).toString('base64'),
      PENSTOCK_METRICS_TOKEN: 'token',
      PENSTOCK_ADMIN_PASSWORD: 'a password of tests',
    },
  }
  const values = Object.fromEntries(Object.entries(secret).map(([name, value]) => [`secret.${name}`, value]))
  const documents = rendered({ ...values, trustProxy: '10.0.0.0/8', 'gateways.proxyProtocol': true, 'ingest.replicas': 2 })
  for (const [name, roles] of [
    ['StatefulSet penstock-servers', ['api', 'ingest', 'worker']],
    ['Deployment penstock-api', ['api']],
    ['Deployment penstock-ingest', ['ingest']],
    ['Deployment penstock-gateways', ['gateway']],
  ] as const) {
    const text = documents.get(name)!
    const plain = [...text.matchAll(/- \{ name: ([A-Z0-9_]+), value: "?([^"]*?)"? \}/g)].map(([, key, value]) => [key, value])
    const secrets = [...text.matchAll(/secretKeyRef: \{ name: penstock-settings, key: (\w+) \}/g)].map(([, key]) => [
      key,
      secret[key as 'S3_URL'],
    ])
    expect(readSettings(Object.fromEntries([...plain, ...secrets])), name).toMatchObject({ roles, demo: false })
    expect(text).toContain('enableServiceLinks: false')
  }
  expect([...documents.keys()].filter((name) => name.startsWith('PodDisruptionBudget'))).toHaveLength(4)
})
