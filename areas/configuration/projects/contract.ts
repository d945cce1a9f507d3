import { long, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

export const project = resource('project', {
  path: '/Project/Project',
  aliases: ['/V3/Project/Project'],
  permission: 'm10101',
  title: 'ProjectName',
  owner: 'grant',
  order: 'ProjectName',
  sheets: 'in-out',
  checks: { ProjectName: 'CheckProjectName' },
  fields: {
    ProjectName: text({ required: true, unique: true, search: true }),
    ProjectNo: text({ max: 30, search: true }),
    Address: text({ max: 100 }),
    Longitude: number({ min: -180, max: 180, unit: '°' }),
    Latitude: number({ min: -90, max: 90, unit: '°' }),
    BelongOrganId: ref('organ', { as: 'OrganName' }),
    /** The city or district it lies in. */
    RegionId: ref('region'),
    Remark: long(),
  },
})
