import { choice, number, ref, text } from '../base/field.ts'
import { resource } from '../base/resource.ts'

/** A person with an account. Its calls come with system administration; passwords are no field of it. */
export const user = resource('user', {
  path: '/System/User',
  permission: 'm104',
  title: 'UserName',
  order: 'UserNO',
  fields: {
    UserNO: text({ required: true, unique: 'everywhere', search: true, set: 'create', max: 40, pattern: '^\\w{3,40}$' }),
    UserName: text({ required: true, search: true }),
    BelongOrganId: ref('organ', { as: 'OrganName' }),
    TimeZoneKey: text({ max: 60 }),
    Status: choice([0, 1], { required: true, default: 1 }),
    IsLock: number({ integer: true, min: 0, max: 1, set: 'never' }),
  },
})
