import { sql } from 'kysely'
import { type Language, nameFields } from '../../../../contract/languages.ts'
import type { MenuBranch, MenuEntry } from '../../../../contract/menu-entries.ts'
import { menuList, tenantPermissions } from '../../../../contract/menus.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { locks } from '../../../../server/database/locks.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type Arranged, arrangedMenus, builtIn, menuTree } from './tree.ts'

type Settings = Partial<Omit<Arranged, 'Id' | 'MenuEncoding' | 'Sort'>>
const salesMenus = new Set(menuList(menuList().filter((m) => m.sales)).map((m) => m.code))
const columns = ['ParentId', 'NameEn', 'NameZh', 'NameEs', 'NameJa', 'Icon', 'IsVisible', 'InternalAndExternalLink'] as const

const readMenus = (db: Db) =>
  db.rows<Arranged>(sql`
    select "Id", "ParentId", "MenuEncoding", "NameEn", "NameZh", "NameEs", "NameJa", "Icon", "Sort", "IsVisible", "InternalAndExternalLink" from menu`)

const noteChange = async (db: Db, actor: Actor, verb: 'create' | 'update' | 'remove', id: number, before: unknown, after: unknown) => {
  const text = (of: unknown) => (of ? JSON.stringify(of) : null)
  await db.rows(sql`
    insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "Before", "After", "RequestId", "Ip")
    values (${actor.EnterpriseId}, ${actor.UserId}, 'menu', ${id}, ${verb}, ${text(before)}::jsonb, ${text(after)}::jsonb, ${actor.origin?.requestId}, ${actor.origin?.ip})`)
  db.emit({ resource: 'menu', id, verb, EnterpriseId: actor.EnterpriseId })
}

const entryOf = (all: readonly MenuEntry[], id: number) => {
  const found = all.find((e) => e.Id === id)
  if (!found) throw notFound()
  return found
}

/** Links and screens belong to a directory or the top level. Directories and top-level entries stay there. */
const checkPlace = (all: readonly MenuEntry[], entry: MenuEntry | undefined, ParentId: number | null) => {
  const refused = new FieldFaults([{ field: 'ParentId', rule: 'unknownReference' }])
  if (ParentId !== null && all.find((e) => e.Id === ParentId)?.MenuType !== 0) throw refused
  if (entry?.BuiltIn && (entry.ParentId === 0) !== (ParentId === null)) throw refused
}

const writeEntry = async (db: Db, id: number, code: string, values: Partial<Arranged>) => {
  const names = Object.keys(values)
  await db.rows(sql`
    insert into menu ("Id", "MenuEncoding", ${sql.join(names.map((n) => sql.ref(n)))}) values (${id}, ${code}, ${sql.join(Object.values(values))})
    on conflict ("Id") do update set ${sql.join(names.map((n) => sql`${sql.ref(n)} = excluded.${sql.ref(n)}`))}, "UpdateTime" = now()`)
}

/** The tree with the buttons of its screens as leaves. */
const withButtons = (all: readonly MenuEntry[], language: Language): MenuBranch[] => {
  const buttons = (e: MenuEntry): MenuBranch[] =>
    (builtIn.get(e.Id)?.menu.buttons ?? []).map((button, i) => ({
      ...e,
      Id: e.Id * 100 + i + 1,
      ParentId: e.Id,
      MenuEncoding: `${e.MenuEncoding}.${button}`,
      MenuName: word(language, `button.${button}`),
      MenuType: 2,
      RoutingAddress: '',
      FrontComponent: '',
      Sort: i + 1,
      MenuChildren: [],
    }))
  const below = (parent: number): MenuBranch[] =>
    all.filter((e) => e.ParentId === parent).map((e) => ({ ...e, MenuChildren: [...below(e.Id), ...buttons(e)] }))
  return below(0)
}

/** The menu tree as arranged by the platform; consoles get it when they next load. */
export const menusService = (database: Database) => {
  let held: Promise<Arranged[]> | undefined
  database.onChange(({ resource }) => {
    if (resource === 'menu') held = undefined
  })
  const rows = () => {
    held ??= readMenus(database.system).catch((error) => {
      held = undefined
      throw error
    })
    return held
  }

  /** Screens of agents and product series are for companies whose licence includes them, roles that do, and companies with agents. */
  const hiddenFor = async (actor: Actor): Promise<Set<string> | undefined> => {
    const named = !actor.platform && (actor.unlicensed || !tenantPermissions.every((code) => actor.may.has(code)))
    if (named) return undefined
    const where = actor.platform ? sql`true` : sql`"EnterpriseId" = ${actor.EnterpriseId}`
    return (await database.system.rows(sql`select 1 from agent where ${where} limit 1`)).length ? undefined : salesMenus
  }

  const change = (actor: Actor, language: Language, id: number, given: Settings & { Before?: number | null }) =>
    database.system.tx(async (db) => {
      await db.rows(sql`select pg_advisory_xact_lock(${locks.menus})`)
      const all = arrangedMenus(await readMenus(db), language)
      const before = entryOf(all, id)
      const above = given.ParentId === undefined ? before.ParentId || null : given.ParentId
      checkPlace(all, before, above)
      const values = Object.fromEntries(columns.filter((name) => given[name] !== undefined).map((name) => [name, given[name] || null]))
      // A new row also contains its position in the menu.
      await writeEntry(db, id, before.MenuEncoding, {
        ...values,
        ParentId: above,
        ...(given.IsVisible === undefined ? {} : { IsVisible: given.IsVisible }),
        Sort: before.Sort,
      })
      if (given.Before !== undefined || above !== (before.ParentId || null)) {
        const siblings = all.filter((e) => e.ParentId === (above ?? 0) && e.Id !== id)
        const at = siblings.findIndex((e) => e.Id === given.Before)
        siblings.splice(at < 0 ? siblings.length : at, 0, before)
        for (const [i, e] of siblings.entries())
          await writeEntry(db, e.Id, e.MenuEncoding, { ParentId: e.Id === id ? above : e.ParentId || null, Sort: (i + 1) * 10 })
      }
      const after = entryOf(arrangedMenus(await readMenus(db), language), id)
      await noteChange(db, actor, 'update', id, before, after)
      return after
    })

  return {
    /** The part that an actor may see, for the console. */
    treeOf: async (actor: Actor, language: Language) => menuTree(await rows(), actor.may, language, await hiddenFor(actor)),
    list: async (language: Language) => {
      const Items = arrangedMenus(await rows(), language)
      return { Items, TotalCount: Items.length }
    },
    tree: async (language: Language) => withButtons(arrangedMenus(await rows(), language), language),
    async modules(actor: Actor, language: Language) {
      const tree = menuTree(await rows(), actor.may, language)
      return tree
        .filter((m) => m.OpenWith === 1)
        .map((m) => ({ Id: m.Id, ModuleCode: m.MenuEncoding, ModuleName: m.MenuName, ModuleType: 1 }))
    },
    change,
    rename: (actor: Actor, language: Language, id: number, name: string) => change(actor, language, id, { [nameFields[language]]: name }),
    create: (actor: Actor, language: Language, { MenuName, ...given }: Settings & { MenuName: string }) =>
      database.system.tx(async (db) => {
        const ParentId = given.ParentId ?? null
        checkPlace(arrangedMenus(await readMenus(db), language), undefined, ParentId)
        const values = { NameEn: MenuName, ...given, ParentId, [nameFields[language]]: MenuName }
        const names = Object.keys(values)
        const [made] = await db.rows<{ Id: number }>(sql`
          insert into menu ("MenuEncoding", ${sql.join(names.map((n) => sql.ref(n)))}) values (gen_random_uuid()::text, ${sql.join(Object.values(values))}) returning "Id"`)
        await db.rows(sql`update menu set "MenuEncoding" = 'm' || "Id" where "Id" = ${made!.Id}`)
        const after = entryOf(arrangedMenus(await readMenus(db), language), made!.Id)
        await noteChange(db, actor, 'create', made!.Id, null, after)
        return after
      }),
    /** Removes only links added by the platform; other entries can be hidden. */
    remove: (actor: Actor, language: Language, id: number) =>
      database.system.tx(async (db) => {
        const before = entryOf(arrangedMenus(await readMenus(db), language), id)
        if (before.BuiltIn) throw new Fault('builtIn')
        await db.rows(sql`delete from menu where "Id" = ${id}`)
        await noteChange(db, actor, 'remove', id, before, null)
        return { Removed: 1 }
      }),
  }
}
