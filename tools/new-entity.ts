// Writes a plain entity: first its contract, words, menu and registration; run again, the migration that follows from its fields.

import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Field } from '../contract/field.ts'
import { type Language, languages } from '../contract/languages.ts'
import { type Links, linkField, linkTable } from '../contract/links.ts'
import { menuList } from '../contract/menus.ts'
import { pluralForms } from '../contract/plural.ts'
import type { Resource } from '../contract/resource.ts'
import { withShared } from '../contract/shared-words.ts'
import { snakeCase } from '../contract/text.ts'

/** The group of the menu that shows a wing's screens. */
const groups: Record<string, string> = {
  configuration: 'm101',
  alarms: 'm102',
  analysis: 'm103',
  maintenance: 'm106',
  people: 'm104',
  system: 'm104',
}

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

const contractOf = (name: string, path: string, permission: string) => `import { text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

export const ${name} = resource('${name}', {
  path: '${path}',
  permission: '${permission}',
  title: '${capital(name)}Name',
  order: '${capital(name)}Name',
  columns: ['${capital(name)}Name'],
  fields: {
    ${capital(name)}Name: text({ required: true, unique: true, search: true }),
  },
})
`

/** Changes a file by putting `text` in front of the first place that `before` finds. */
const insert = (file: string, text: string, before: (source: string) => number) => {
  const source = readFileSync(file, 'utf8')
  const at = before(source)
  if (at < 0) throw new Error(`Found no place in ${file} for: ${text}`)
  writeFileSync(file, source.slice(0, at) + text + source.slice(at))
}

/** The words that a resource needs: its own, of its fields, choices and sections, of its acts, and of its menu. */
export const wordKeys = (r: Resource, language: Language): string[] => {
  const fields = Object.entries(r.fields).flatMap(([name, f]) => [
    `${r.name}.${name}`,
    ...(f.kind === 'choice' ? f.of.map((code) => `${r.name}.${name}.${code}`) : []),
    ...(f.section ? [`section.${f.section}`] : []),
  ])
  const acts = Object.entries(r.acts ?? {}).flatMap(([name, act]) => {
    const of = `${r.name}.${name}`
    const asked = act.asks || act.danger ? [`ask.${of}`, `ask.${of}.text`] : []
    return [`act.${of}`, ...asked, ...Object.keys(act.fields ?? {}).map((field) => `${r.name}.${field}`)]
  })
  const plural = pluralForms[language].map((form) => `many.${r.name}_${form}`)
  return [...new Set([r.name, ...fields, ...acts, `menu.${r.permission}`, `empty.${r.name}`, `remove.${r.name}`, ...plural])]
}

/** Finds exports of an area's contract that have a key. */
const exported = async (folder: string) => {
  const made: Record<string, unknown> = await import(pathToFileURL(join(folder, 'contract.ts')).href)
  return <T>(key: keyof T & string) => Object.values(made).filter((x): x is T => typeof x === 'object' && x !== null && key in x)
}

const readWords = (file: string): Record<string, string> => JSON.parse(readFileSync(file, 'utf8'))

/** Adds missing words as empty strings, and lists them. */
const addWords = (root: string, place: string, made: readonly Resource[]) => {
  const empty = new Set<string>()
  for (const language of languages) {
    const own = join(root, 'areas', place, 'words', `${language}.json`)
    const words = existsSync(own) ? readWords(own) : {}
    const files = globSync([`contract/words/*.${language}.json`, `areas/*/*/words/${language}.json`], { cwd: root })
    const known = withShared(Object.assign({}, ...files.map((file) => readWords(join(root, file)))))
    for (const key of made.flatMap((r) => wordKeys(r, language))) if (!(key in known)) words[key] = ''
    writeFileSync(own, `${JSON.stringify(words, null, 2)}\n`)
    for (const key of Object.keys(words)) if (!words[key]) empty.add(key)
  }
  if (empty.size) console.log(`Fill in areas/${place}/words/{${languages}}.json: ${[...empty].join(', ')}.`)
}

const begin = async (root: string, wing: string, area: string) => {
  const name = area.replace(/-(\w)/g, (_, c: string) => c.toUpperCase())
  const group = groups[wing]
  if (!group)
    throw new Error(`Unknown wing "${wing}". Choose ${Object.keys(groups).join(', ')}: a wing is a group of the menu in contract/menus.ts.`)
  const taken = menuList().filter(({ code }) => code.length > 4 && code.startsWith(group))
  const code = `m${Math.max(Number(`${group.slice(1)}00`), ...taken.map((m) => Number(m.code.slice(1)))) + 1}`
  const folder = join(root, 'areas', wing, area)
  mkdirSync(join(folder, 'words'), { recursive: true })
  writeFileSync(join(folder, 'contract.ts'), contractOf(name, `/${capital(wing)}/${capital(name)}`, code))
  const entry = `      { code: '${code}', path: '${name}', buttons: crud },\n`
  insert(join(root, 'contract/menus.ts'), entry, (source) => source.indexOf('\n    ],\n', source.indexOf(`code: '${group}',`)) + 1)
  const line = `import { ${name} } from './${wing}/${area}/contract.ts'\n`
  const index = join(root, 'areas/index.ts')
  insert(index, line, (source) => {
    const later = [...source.matchAll(/^import .* from '\.\/([^']+)'$/gm)].find(([, path]) => path! > `${wing}/${area}/contract.ts`)
    return later ? later.index : source.indexOf('\n/** Every resource')
  })
  insert(index, `  ${name},\n`, (source) => source.indexOf(']\nregister(resources)'))
  addWords(root, `${wing}/${area}`, (await exported(folder))<Resource>('fields'))
  console.log(`Edit areas/${wing}/${area}/contract.ts, then run this once more for the migration and the words of its fields.`)
}

const literal = (value: unknown) => (typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`)

const typeOf = (f: Field): string => {
  switch (f.kind) {
    case 'text':
    case 'long':
      return 'text'
    case 'number':
      if (f.money) return 'bigint'
      return f.integer ? (f.max !== undefined && f.max < 2 ** 31 ? 'integer' : 'bigint') : 'double precision'
    case 'flag':
      return 'smallint'
    case 'choice':
      return typeof f.of[0] === 'number' ? 'smallint' : 'text'
    case 'instant':
      return 'timestamptz'
    case 'ref':
      return 'bigint'
    case 'files':
    case 'json':
      return 'jsonb'
  }
}

/** The table of a resource, behind row-level security, and the rights of the roles there are. */
export const migrationOf = (r: Resource): string => {
  const [table, fields] = [snakeCase(r.name), Object.entries(r.fields)]
  const columns = fields.map(
    ([name, f]) =>
      `"${name}" ${typeOf(f)}${f.required ? ' not null' : ''}${f.default === undefined ? '' : ` default ${literal(f.default)}`}`,
  )
  const constraints = fields.flatMap(([name, f]) => {
    const within = typeof f.unique === 'string' && f.unique !== 'everywhere' ? `"EnterpriseId", "${f.unique}", ` : '"EnterpriseId", '
    return [
      ...(f.unique ? [`constraint "${table}_${name}_key" unique (${f.unique === 'everywhere' ? '' : within}"${name}")`] : []),
      ...(f.kind === 'ref'
        ? [
            `constraint "${table}_${name}_fkey" foreign key ("EnterpriseId", "${name}") references "${snakeCase(f.to)}" ("EnterpriseId", "Id")`,
          ]
        : []),
    ]
  })
  const lines = [
    '"Id" bigint generated always as identity primary key',
    '"EnterpriseId" bigint not null references enterprise',
    ...columns,
    '"CreateTime" timestamptz not null default now()',
    '"UpdateTime" timestamptz not null default now()',
    'unique ("EnterpriseId", "Id")',
    ...constraints,
  ]
  // Only what PostgreSQL's row-level security does not index already.
  const indexes = fields.filter(([, f]) => f.kind === 'ref').map(([name]) => `create index on "${table}" ("${name}");\n`)
  const code = r.permission
  const buttons = ['add', 'edit', 'remove'].map((button) => `${code}.${button}`).join(',')
  const grant = (codes: string, to: string) =>
    `update role set "MenuCodes" = "MenuCodes" || '{${codes}}'::text[] where ${to} and not '${code}' = any("MenuCodes");\n`
  return `create table "${table}" (\n    ${lines.join(',\n    ')}\n);
${indexes.join('')}select penstock_tenant_table('${table}');

${grant(`${code},${buttons}`, `"RouteRole" = 'admin'`)}`
}

/** The table of links between two resources. */
export const linkMigrationOf = (l: Links): string => {
  const ends = [l.from, l.to].map((r) => ({ field: linkField(r), table: snakeCase(r.name) }))
  const table = linkTable(l)
  return `create table "${table}" (
    "EnterpriseId" bigint not null references enterprise,
    ${ends.map(({ field }) => `"${field}" bigint not null`).join(',\n    ')},
    primary key (${ends.map(({ field }) => `"${field}"`).join(', ')}),
    ${ends.map((e) => `foreign key ("EnterpriseId", "${e.field}") references "${e.table}" ("EnterpriseId", "Id") on delete cascade`).join(',\n    ')}
);
create index on "${table}" ("${ends[1]!.field}");
select penstock_tenant_table('${table}');
`
}

const migrate = async (root: string, wing: string, area: string) => {
  const place = `${wing}/${area}`
  const has = await exported(join(root, 'areas', place))
  addWords(root, place, has<Resource>('fields'))
  const folder = join(root, 'server/database/migrations')
  const present = readdirSync(folder)
  const tables: [table: string, sql: string][] = [
    ...has<Resource>('fields').map((r): [string, string] => [snakeCase(r.name), migrationOf(r)]),
    ...has<Links>('from').map((l): [string, string] => [linkTable(l), linkMigrationOf(l)]),
  ]
  const missing = tables.filter(
    ([table]) => !present.some((file) => readFileSync(join(folder, file), 'utf8').includes(`penstock_tenant_table('${table}')`)),
  )
  if (!missing.length)
    throw new Error(
      `The table ${tables.map(([table]) => table).join(', ')} has a migration already. What changes it is a migration of your own, such as: alter table … add column ….`,
    )
  for (const [table, sql] of missing) {
    const next = Math.max(...present.map((file) => Number.parseInt(file, 10) || 0)) + 1
    const file = `${String(next).padStart(4, '0')}_${table}.sql`
    writeFileSync(join(folder, file), sql)
    present.push(file)
    console.log(`Wrote server/database/migrations/${file}; read it before you run it.`)
  }
}

/** Begins an entity, or writes the migration of one that is there. */
export const newEntity = async (root: string, place: string | undefined) => {
  const [, wing, area] = /^([a-z-]+)\/([a-z][a-z0-9-]*)$/.exec(place ?? '') ?? []
  if (!wing || !area) throw new Error('Say where: npm run new <wing>/<name>, such as configuration/valve.')
  if (existsSync(join(root, 'areas', wing, area, 'contract.ts'))) await migrate(root, wing, area)
  else await begin(root, wing, area)
}

if (process.argv[1] === import.meta.filename)
  try {
    await newEntity(join(import.meta.dirname, '..'), process.argv[2])
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
