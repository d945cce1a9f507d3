import { choice, files, long, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'
import { gatewayTypes } from '../gateways/contract.ts'

/** Identically built machines. Each serial number of a series gets a copy of its template project. */
export const productSeries = resource('productSeries', {
  path: '/Product/ProProductSeries',
  permission: 'm12006',
  title: 'SeriesName',
  order: 'SeriesName',
  sheets: 'in-out',
  columns: ['SeriesName', 'SeriesNo', 'TemplateProjectId', 'GatewayTypeId', 'WarrantyMonths', 'Enabled'],
  parts: [],
  fields: {
    SeriesName: text({ required: true, unique: true, search: true }),
    SeriesNo: text({ max: 30, unique: true, search: true }),
    /** The project that is copied. It has one gateway. */
    TemplateProjectId: ref('project', { as: 'TemplateProjectName' }),
    GatewayTypeId: choice(gatewayTypes, { required: true, default: 1 }),
    SubTypeId: choice([1, 2], { default: 1 }),
    Picture: files({ most: 1 }),
    WarrantyMonths: number({ integer: true, min: 0, max: 600 }),
    Enabled: choice([1, 0], { required: true, default: 1, search: true }),
    Remark: long(),
  },
})
