import { choice, long, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'
import { usersCall } from '../organs/contract.ts'

/** A department; a tree within one organisation, which cannot be changed. */
export const department = resource('department', {
  path: '/System/Department',
  permission: 'm10412',
  title: 'DepartmentName',
  owner: 'BelongOrganId',
  order: 'Sort',
  tree: 'ParentId',
  readBy: 'session',
  sheets: 'in-out',
  differs: { readable: 'Pickers everywhere show departments: a session is enough.' },
  fields: {
    DepartmentName: text({ required: true, unique: 'BelongOrganId', search: true }),
    BelongOrganId: ref('organ', { required: true, as: 'OrganName', set: 'create' }),
    ParentId: ref('department', { as: 'ParentName' }),
    ManagerUserId: ref('user', { as: 'ManagerUserName' }),
    Status: choice([1, 0], { required: true, default: 1 }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
    Remark: long(),
  },
})

export const departmentCalls = { users: usersCall(department) }
