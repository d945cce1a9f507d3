// Every call with invalid values: refused without an internal error, internal details or a timeout.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, startHouse } from '../house.ts'
import { enter } from './tally.ts'
import { inTime, rounds } from './tiers.ts'

type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema }
type Operation = { method: string; path: string; body?: Schema; query: string[] }

let house: House
let operations: Operation[]
beforeAll(async () => {
  house = await startHouse({ PENSTOCK_CALLS_PER_SECOND: '0' })
  const headers = { authorization: `Bearer ${house.admin}` }
  const api = (await (await fetch(`${house.origin}/api/openapi.json`, { headers })).json()) as {
    paths: Record<
      string,
      Record<string, { parameters?: { in: string; name: string }[]; requestBody?: { content: Record<string, { schema: Schema }> } }>
    >
  }
  operations = Object.entries(api.paths)
    .filter(([path]) => !lasting.test(path))
    .flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, { parameters = [], requestBody }]) => ({
        method: verb.toUpperCase(),
        path,
        query: parameters.filter((p) => p.in === 'query').map((p) => p.name),
        ...(requestBody ? { body: Object.values(requestBody.content)[0]!.schema } : {}),
      })),
    )
})
afterAll(() => house?.close())

/** Calls after which nothing else could be asked: they end the session, change the password, or take the server away for a while. */
const lasting = /Logout|LoginConfirm|SetPwd|ResetPwd|SwitchRole|ChangeRole|Restore|Backup|Reset|Restart|Lock/i

const hostile: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e308, 1e-320, '', ' ', '0', '-1', 'null', 'NaN', '1e309'],
  ...['\0', 'a\0b', '\ud800', '\u202ertl', '😀'.repeat(50), 'x'.repeat(20_000), "'; drop table gateway; --", '%', '_', '\\', `${'$'}{7*7}`],
  ...[
    '{{7*7}}',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '..%2f..%2fetc',
    '/proc/self/environ',
    '=cmd|x',
    '2026-02-30',
    '99999-01-01',
  ],
  ...[
    '2026-01-01 25:61:61',
    [],
    {},
    [[]],
    [null],
    ['x'],
    [1, 1],
    [2 ** 60],
    { constructor: { prototype: 1 } },
    { __proto__: null, toString: 1 },
  ],
  ...[Array.from({ length: 3000 }, (_, i) => i), JSON.parse('{"__proto__": {"polluted": 1}}')],
]
/** In the form used in URLs. */
const text = (value: unknown, most: number) =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed().slice(0, most)
const one = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)]!

/** Something of the schema's shape with a wrong value here and there, or nothing like it. */
const wrong = (schema: Schema | undefined, depth = 0): unknown => {
  if (!schema || depth > 3 || Math.random() < 0.3) return one(hostile)
  if (schema.type === 'array') return Array.from({ length: Math.floor(Math.random() * 4) }, () => wrong(schema.items, depth + 1))
  const entries = Object.entries(schema.properties ?? {}).filter(() => Math.random() < 0.8)
  if (entries.length) return Object.fromEntries(entries.map(([name, of]) => [name, wrong(of, depth + 1)]))
  const plain: Record<string, readonly unknown[]> = {
    string: ['x', 'name', '1'],
    integer: [1, 2, 3],
    number: [1, 2.5],
    boolean: [true, false],
  }
  return Math.random() < 0.5 ? one(plain[schema.type ?? ''] ?? hostile) : one(hostile)
}
const leak = /\bat (async )?[\w.]+ \(|node_modules|\/server\/|\.ts:\d|syntax error|violates|relation "|pg_|ECONN|\bselect .+ from\b/i

const each = rounds(1, 20)
test('nothing a caller sends is a failure of ours', inTime(each), async ({ task }) => {
  let token = await house.login()
  const bad: string[] = []
  let [sent, refused] = [0, 0]
  const ask = async ({ method, path, body, query }: Operation) => {
    const params = new URLSearchParams(query.filter(() => Math.random() < 0.6).map((name) => [name, text(one(hostile), 2000)]))
    const given = method === 'GET' ? undefined : JSON.stringify(wrong(body))
    const answer = await fetch(
      `${house.origin}${path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(text(one(hostile), 200)))}?${params}`,
      {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'accept-language': 'en',
          ...(given === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(given === undefined ? {} : { body: given }),
        signal: AbortSignal.timeout(30_000),
      },
    )
    const said = await answer.text()
    sent++
    const isJson = /json/.test(answer.headers.get('content-type') ?? '')
    const wrapper = isJson ? (JSON.parse(said) as { Succeeded?: boolean; StatusCode?: number }) : undefined
    const tell = (what: string) =>
      bad.push(`${what}: ${method} ${path}?${params} ${given?.slice(0, 300)} -> ${answer.status} ${said.slice(0, 300)}`)
    if (answer.status >= 500 || (wrapper?.StatusCode ?? 0) >= 500) tell('failure')
    else if (wrapper?.Succeeded === false) refused++
    if (isJson && !/openapi|negotiate/.test(path) && typeof wrapper?.Succeeded !== 'boolean') tell('no wrapper')
    if (wrapper?.Succeeded === false && leak.test(said)) tell('leak')
    if (wrapper?.StatusCode === 401) token = await house.login()
  }
  for (let i = 0; i < each && bad.length < 20; i++)
    for (let at = 0; at < operations.length; at += 8)
      await Promise.all(
        operations.slice(at, at + 8).map((o) => ask(o).catch((error: Error) => bad.push(`${o.method} ${o.path}: ${error.message}`))),
      )
  expect({}).not.toHaveProperty('polluted')
  const counts = { sent: 0, acked: 0, stored: 0, lost: 0, duplicated: 0, torn: 0, wrong: 0 }
  enter(task, {
    fault: 'bad calls',
    rounds: 1,
    ...counts,
    note: `${sent} calls of ${operations.length} kinds, ${refused} refused, ${bad.length} failures`,
  })
  expect(bad.slice(0, 20)).toEqual([])
  expect((await fetch(`${house.origin}/readyz`)).status).toBe(200)
})
