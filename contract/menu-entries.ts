import { type Static, Type } from 'typebox'
import { ById, call, Removed } from './call.ts'
import { Id } from './resource.ts'

/** Icons that menus can have; the console draws them. */
export const menuIcons = [
  ...['home', 'project', 'alert', 'lineChart', 'setting', 'gateway', 'team', 'cloud', 'dashboard', 'tool', 'bell', 'link', 'database'],
  ...['video', 'file', 'global', 'book', 'question'],
] as const

const Text = Type.String()
const name = Type.Optional(Type.Union([Type.String({ maxLength: 60 }), Type.Null()]))
const Names = { NameEn: name, NameZh: name, NameEs: name, NameJa: name }
/** Where a link leads: a web address. */
const Link = Type.String({ maxLength: 500, pattern: '^https?://[^\\s]+$' })

/** A menu as the platform arranges it. A name of its own is empty where the standard one holds. */
export const MenuEntry = Type.Object({
  Id: Type.Integer(),
  ParentId: Type.Integer(),
  MenuEncoding: Text,
  /** In the caller's language. */
  MenuName: Text,
  NameEn: Type.Union([Text, Type.Null()]),
  NameZh: Type.Union([Text, Type.Null()]),
  NameEs: Type.Union([Text, Type.Null()]),
  NameJa: Type.Union([Text, Type.Null()]),
  Icon: Text,
  RoutingAddress: Text,
  FrontComponent: Text,
  Redirect: Text,
  /** 0 directory, 1 menu, 2 button (specification, section 3). */
  MenuType: Type.Integer(),
  IsVisible: Type.Integer(),
  /** 1 a tab, 2 a window of the browser, 3 an external link (ruling 34b). */
  OpenWith: Type.Integer(),
  InternalAndExternalLink: Text,
  /** 1 the console. */
  ModuleType: Type.Integer(),
  Sort: Type.Integer(),
  /** Comes with Penstock: can be renamed, moved and hidden, not removed. */
  BuiltIn: Type.Boolean(),
})
export type MenuEntry = Static<typeof MenuEntry>
export type MenuBranch = MenuEntry & { MenuChildren: MenuBranch[] }
const Branch = Type.Object({
  ...MenuEntry.properties,
  MenuChildren: Type.Array(Type.Unsafe<MenuBranch>({ type: 'object', additionalProperties: true })),
})

const Settings = {
  ...Names,
  Icon: Type.Optional(Type.Union([Type.Enum([...menuIcons]), Type.Null()])),
  IsVisible: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
  /** Its directory, null for the top level. */
  ParentId: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
}
const permission = 'm10418'
const at = (method: 'GET' | 'PUT', path: string) => ({ method, path: `/System/Menu/${path}`, permission }) as const

export const menuCalls = {
  /** Modules of which the caller sees something. */
  modules: call({
    method: 'GET',
    path: '/System/Module/List',
    permission: 'session',
    answer: Type.Array(Type.Object({ Id: Type.Integer(), ModuleCode: Text, ModuleName: Text, ModuleType: Type.Integer() })),
  }),
  list: call({ ...at('GET', 'List'), answer: Type.Object({ Items: Type.Array(MenuEntry), TotalCount: Type.Integer() }) }),
  /** With buttons as leaves. */
  tree: call({
    ...at('GET', 'TreebyModuleType'),
    query: Type.Object({ ModuleType: Type.Optional(Type.Integer()) }),
    answer: Type.Array(Branch),
  }),
  /** A link: another address in a window or a tab of the browser. */
  create: call({
    method: 'POST',
    path: '/System/Menu',
    permission: `${permission}.add`,
    body: Type.Object({
      ...Settings,
      MenuName: Type.String({ minLength: 1, maxLength: 60 }),
      InternalAndExternalLink: Link,
    }),
    answer: MenuEntry,
  }),
  /** `Before`: in front of this sibling; null = the last. */
  update: call({
    method: 'PUT',
    path: '/System/Menu',
    permission: `${permission}.edit`,
    body: Type.Object({
      Id,
      ...Settings,
      InternalAndExternalLink: Type.Optional(Link),
      Before: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    }),
    answer: MenuEntry,
  }),
  remove: call({
    method: 'DELETE',
    path: '/System/Menu',
    permission: `${permission}.remove`,
    body: ById,
    answer: Removed,
  }),
  /** In the caller's language. */
  rename: call({
    ...at('PUT', 'ReName'),
    permission: `${permission}.edit`,
    body: Type.Object({ Id, MenuName: Type.String({ minLength: 1, maxLength: 60 }) }),
    answer: MenuEntry,
  }),
}
