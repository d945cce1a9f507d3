// Calls that an API process answers itself: they only read PostgreSQL and ClickHouse.
import type { FastifyInstance } from 'fastify'
import { analysisCalls } from '../areas/analysis/telemetry/contract.ts'
import { pointCalls } from '../areas/configuration/points/contract.ts'
import { monthCalls } from '../areas/energy/consumption/closing.ts'
import { energyCalls } from '../areas/energy/consumption/contract.ts'
import { savingsCalls } from '../areas/energy/consumption/savings.ts'
import { figures, resources } from '../areas/index.ts'
import type { Call } from '../contract/call.ts'
import { figureCall } from '../contract/figures.ts'
import { wireOf } from '../contract/resource.ts'
import { telemetryCalls } from '../contract/telemetry.ts'
import { onlyReads } from '../server/http/serve.ts'

const { last: _ofMemory, ...charts } = telemetryCalls
const { dataStatus: _counts, ...statistics } = analysisCalls
const calls = [
  ...[charts, statistics, energyCalls, monthCalls, savingsCalls, pointCalls].flatMap((some) => Object.values<Call>(some)),
  ...figures.map(figureCall),
]
const lists = resources.flatMap(({ path, aliases }) => [path, ...aliases].map((one) => `${one}/List`))

const records = resources.flatMap((r) =>
  wireOf(r, 'find').flatMap(([method, suffix]) => [r.path, ...r.aliases].map((path) => ({ method, url: `${path}${suffix}` }))),
)

const keyOf = (method: string, path: string) => `${method} ${path}`.toLowerCase().replace(/\/$/, '')

/** Returns a check for local calls: lists, records, figures and stored readings that `app` serves. Calls with parameters in their path go to the owner. */
export const localCalls = (app: Pick<FastifyInstance, 'hasRoute'>) => {
  const found = [
    ...calls.filter(onlyReads).flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((url) => ({ method, url }))),
    ...records,
    ...lists.flatMap((url) => ['GET', 'POST'].map((method) => ({ method, url }))),
  ]
  const keys = new Set(
    found
      .filter(({ method, url }) => !/[:{]/.test(url) && app.hasRoute({ method: method as 'GET', url: `/api${url}` }))
      .map(({ method, url }) => keyOf(method, `/api${url}`)),
  )
  return (method: string, path: string) => keys.has(keyOf(method, path))
}
