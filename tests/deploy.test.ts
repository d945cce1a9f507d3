// Alerts and dashboards may name only metrics that the server exposes.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
  const files = ['compose.yaml', 'fleet.compose.yaml', 'penstock.service', 'penstock@.service', 'Containerfile']
  const named = files.flatMap((name) => file(`deploy/${name}`).match(/\b(PENSTOCK_[A-Z_]+|[A-Z0-9]+_URL|ROLES)(?=[:=])/g) ?? [])
  const readme = file('README.md')
  expect([...new Set(named)].filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  expect(named).toContain('NATS_URL')
})
