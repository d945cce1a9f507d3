// Names that are stored or typed by people must survive a rename in the code. Each name of contract/stored-names.json is looked for in
// what the code uses now. A new name is added to the list by the change that first stores it.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Engine } from './areas/alarms/alarms/server/alarming/engine.ts'
import { resources, settings } from './areas/index.ts'
import { standardTimers, timerMethodNames } from './areas/system/timers/contract.ts'
import { type Menu, menus, tenantPermissions } from './contract/menus.ts'
import names from './contract/stored-names.json' with { type: 'json' }
import { installationKeys } from './server/identity/installation.ts'
import { tableName } from './server/resource/sql.ts'

const root = import.meta.dirname
const read = (pattern: string[]) =>
  globSync(pattern, { cwd: root })
    .filter((file) => !/\.test\.tsx?$|\/testing\/|node_modules/.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
const code = read(['{areas,server,main,edge,contract}/**/*.ts'])
/** Names that the code has as a string of its own, or before a blank of a template. */
const written = (listed: readonly string[]) =>
  listed.filter((name) => [`'${name}'`, `\`${name}\``, `\`${name}\${`, `${name}=`].some((text) => code.includes(text)))
const permissionsOf = (m: Menu): string[] => [
  m.code,
  ...(m.buttons ?? []).map((button) => `${m.code}.${button}`),
  ...(m.children ?? []).flatMap(permissionsOf),
]
const environment = [...code.matchAll(/env\.([A-Z][A-Z0-9_]+)|\(env, '([A-Z0-9_]+)'/g)].map((m) => m[1] ?? m[2]!)
const tablesOf = new Set(resources.map(tableName))
const tables = () => names.tables.filter((name) => tablesOf.has(name) || new RegExp(`\\b${name}\\b`).test(code))

/** The state of one point, as `alarm_state` keeps it. */
const pointState = () => {
  const engine = new Engine()
  engine.configure({ point: 1, low: null, high: 1, hysteresis: 0, delay: 0 } as never, 0)
  engine.judge([{ point: 1, time: 1, value: 2, quality: 0, n: 1 } as never], 1)
  const state = engine.state(1)!
  return [...Object.keys(state), ...Object.keys(state.high)]
}

const used: Record<keyof typeof names, () => readonly string[]> = {
  resources: () => resources.map((r) => r.name),
  loggedAs: () => written(names.loggedAs),
  tables,
  permissions: () => menus.flatMap(permissionsOf),
  lists: () => resources.map((r) => `${r.permission}.${r.name}`),
  timerMethods: () => timerMethodNames,
  timerNames: () => Object.values(standardTimers).map((t) => t.TimerName),
  installationKeys: () => installationKeys,
  secrets: () => [...written(names.secrets), ...settings.flatMap((s) => Object.keys(s.secrets).map((secret) => `${s.name}.${secret}`))],
  settings: () => environment,
  files: () => written(names.files),
  gatewayFiles: () => written(names.gatewayFiles),
  alarmState: pointState,
}

test.each(Object.keys(names) as (keyof typeof names)[])('%s that are stored or typed by people have kept their names', (kind) => {
  expect(names[kind].length).toBeGreaterThan(0)
  const now = new Set(used[kind]())
  expect(names[kind].filter((name) => !now.has(name))).toEqual([])
})

// `permissions` are those of the first installation: the list does not grow.
test('a menu code that came later reaches the roles of older installations by a migration', () => {
  const migrations = read(['server/database/migrations/*.sql'])
  const first = new Set(names.permissions)
  const later = tenantPermissions.filter((code) => !first.has(code))
  expect(later.length).toBeGreaterThan(0)
  const isGiven = (code: string) => new RegExp(`(?<![\\w.])${code.replace('.', '\\.')}(?![\\w.])`).test(migrations)
  expect(later.filter((code) => !isGiven(code))).toEqual([])
})
