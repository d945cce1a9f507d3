import { type Static, Type } from 'typebox'
import { call, IdList } from '../../../contract/call.ts'
import { choice, flag, long, number, text } from '../../../contract/field.ts'
import { Id, resource, schemas, valueSchema } from '../../../contract/resource.ts'

/** A role; its permissions (menus, buttons, projects) have separate calls. */
export const role = resource('role', {
  path: '/System/Role',
  permission: 'm10403',
  title: 'RoleName',
  order: 'Sort',
  sheets: 'out',
  fields: {
    RoleName: text({ required: true, unique: true, search: true }),
    /** `admin` has all permissions of a tenant (specification, section 6). */
    RouteRole: choice(['admin', 'editor']),
    /** 1: its users see the daily screens first, the others under More. */
    ShortMenu: flag({ required: true, default: 0 }),
    Sort: number({ integer: true, min: 0, max: 9999, default: 0 }),
    Status: choice([0, 1], { required: true, default: 1 }),
    /** 1 own, 2 own organisation, 3 and below, 4 chosen organisations, 5 all; set with the data permissions. */
    DataScope: choice([1, 2, 3, 4, 5], { required: true, set: 'never', default: 5 }),
    Remark: long(),
  },
})

const Text = Type.String()
const OfRole = Type.Object({ RoleId: Id })
const Codes = Type.Array(Type.String({ maxLength: 60 }), { maxItems: 2000 })
const Done = Type.Object({ RoleId: Type.Integer() })
const shape = schemas(role)
/** `CopyOf`: role whose permissions are copied into the new one. */
export const NewRole = Type.Object({
  ...shape.draft.properties,
  RoleName: valueSchema(role.fields.RoleName),
  EnterpriseId: Type.Optional(Id),
  CopyOf: Type.Optional(Id),
})

/** A menu (0 directory, 1 menu) or a button (2). Callers can grant only permissions that they have. */
export type RightsNode = {
  MenuEncoding: string
  MenuName: string
  MenuType: number
  Checked: boolean
  Grantable: boolean
  MenuChildren: RightsNode[]
}
const Node = Type.Object({
  MenuEncoding: Text,
  MenuName: Text,
  MenuType: Type.Integer(),
  Checked: Type.Boolean(),
  Grantable: Type.Boolean(),
  MenuChildren: Type.Array(Type.Unsafe<RightsNode>({ type: 'object', additionalProperties: true })),
})
const Person = Type.Object({ Id: Type.Integer(), UserNO: Text, UserName: Text })
const People = Type.Object({ RoleId: Id, UserIds: IdList(200) })
const Module = Type.Object({ ModuleCode: Text, ModuleName: Text })
const at = (method: 'GET' | 'POST' | 'DELETE', name: string, permission: string) => ({ method, path: `/System/Role/${name}`, permission })

export const roleCalls = {
  /** Copies a role with its permissions. */
  copy: call({ method: 'POST', path: role.path, permission: 'm10403.add', body: NewRole, answer: shape.row }),
  menuList: call({ ...at('POST', 'AuthorizationMenuList', 'm10403'), reads: true, body: OfRole, answer: Type.Array(Node) }),
  /** Sets exactly these menus and buttons. */
  setMenus: call({
    ...at('POST', 'AuthorizationMenu', 'm10403.authorise'),
    body: Type.Object({ RoleId: Id, MenuCodes: Codes }),
    answer: Done,
  }),
  modules: call({ ...at('GET', 'Modules', 'm10403'), answer: Type.Array(Module) }),
  /** Modules in which the role has any permission. */
  moduleIds: call({ ...at('GET', 'ModuleIds', 'm10403'), query: OfRole, answer: Type.Array(Text) }),
  /** Removes all permissions of other modules; new modules get their screens without buttons. */
  setModules: call({
    ...at('POST', 'SetModule', 'm10403.authorise'),
    body: Type.Object({ RoleId: Id, ModuleCodes: Codes }),
    answer: Done,
  }),
  projectIds: call({
    ...at('GET', 'ProjectIds', 'm10403'),
    query: OfRole,
    answer: Type.Object({ All: Type.Boolean(), ProjectIds: Type.Array(Type.Integer()) }),
  }),
  /** Null: every project of the tenant, including future ones. */
  setProjects: call({
    method: 'POST',
    path: '/V3/System/Role/SetProject',
    aliases: ['/System/Role/SetProject'],
    permission: 'm10403.authorise',
    body: Type.Object({ RoleId: Id, ProjectIds: Type.Union([Type.Array(Id, { maxItems: 5000 }), Type.Null()]) }),
    answer: Done,
  }),
  /** Users with the role. */
  users: call({
    ...at('POST', 'UserList', 'm10403'),
    reads: true,
    body: OfRole,
    answer: Type.Object({ Items: Type.Array(Person), TotalCount: Type.Integer() }),
  }),
  addUsers: call({ ...at('POST', 'User', 'm10403.authorise'), body: People, answer: Done }),
  removeUsers: call({ ...at('DELETE', 'User', 'm10403.authorise'), body: People, answer: Done }),
}
export type RolePerson = Static<typeof Person>
