import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { choice, json, long, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { project } from '../../configuration/projects/contract.ts'
import { department } from '../departments/contract.ts'
import { post } from '../posts/contract.ts'
import { user } from '../users/contract.ts'

/** Modules of data permissions. Access to a project includes its gateways, devices, points and alarms. */
export const modules = { project, user, department, post } as const
export type ModuleCode = keyof typeof modules
const codes = Object.keys(modules) as ModuleCode[]

/** 1 own, 2 own organisation, 3 and below, 4 chosen organisations, 5 all. */
export const dataScopes = [1, 2, 3, 4, 5] as const

const list = (items: object) => ({ type: 'array', items, maxItems: 1000 })

/** The rows of a module that a role shows, and its hidden fields. Overrides the role's data scope. */
export const dataPermission = resource('dataPermission', {
  path: '/System/DataPermissions',
  // The specification's spelling, and ours.
  wire: { remove: ['DELETE ', 'DELETE /BatchDelet', 'DELETE /BatchDelete'] },
  permission: 'm10417',
  title: 'Name',
  order: 'Name',
  fields: {
    Name: text({ required: true, unique: true, search: true }),
    ModuleCode: choice(codes, { required: true, search: true, default: 'project' }),
    DataScope: choice(dataScopes, { required: true, search: true, default: 3 }),
    OrganIds: json({ schema: list({ type: 'integer', minimum: 1 }) }),
    HiddenFields: json({ schema: list({ type: 'string', maxLength: 60 }) }),
    Remark: long(),
  },
})

/** Fields that can be hidden: not the title and not required fields. */
export const hideable = (module: ModuleCode): string[] =>
  Object.entries(modules[module].fields).flatMap(([name, f]) => (f && 'required' in f && f.required ? [] : [name]))

const Module = Type.Object({
  ModuleCode: Type.String(),
  ModuleName: Type.String(),
  Fields: Type.Array(Type.Object({ Field: Type.String(), FieldName: Type.String() })),
})

const OfRole = Type.Object({
  RoleId: Type.Integer(),
  DataScope: Type.Integer(),
  OrganIds: Type.Array(Type.Integer()),
  /** Data permissions of the tenant; those of the role are checked. */
  Items: Type.Array(Type.Object({ Id: Type.Integer(), Name: Type.String(), ModuleCode: Type.String(), Checked: Type.Boolean() })),
})
export type DataRights = Static<typeof OfRole>

export const dataPermissionCalls = {
  modules: call({ method: 'GET', path: '/System/DataPermissions/ObtainPlateModule', permission: 'm10417', answer: Type.Array(Module) }),
  ofRole: call({
    method: 'POST',
    path: '/System/Role/DataPermissionList',
    permission: 'm10403',
    reads: true,
    body: Type.Object({ RoleId: Id }),
    answer: OfRole,
  }),
  setOfRole: call({
    method: 'POST',
    path: '/System/Role/DataPermissions',
    permission: 'm10403.authorise',
    body: Type.Object({
      RoleId: Id,
      DataScope: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
      OrganIds: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
      DataPermissionIds: Type.Optional(Type.Array(Id, { maxItems: 200 })),
    }),
    answer: OfRole,
  }),
}
