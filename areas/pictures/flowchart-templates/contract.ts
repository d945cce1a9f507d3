import { choice, long, number, ref, text } from '../../../contract/field.ts'
import { nameFields } from '../../../contract/languages.ts'
import { resource } from '../../../contract/resource.ts'

/** Categories of picture templates, named in each language. A category in use cannot be removed. */
export const flowChartTemplateMenu = resource('flowChartTemplateMenu', {
  path: '/Project/Ddt/FlowChartTemplateMenu',
  permission: 'm10133',
  title: 'MenuName',
  names: nameFields,
  order: 'Sort',
  tree: 'ParentId',
  readBy: 'm10131',
  columns: ['MenuName', 'NameEn', 'NameZh', 'NameEs', 'NameJa', 'Sort'],
  fields: {
    MenuName: text({ required: true, unique: 'ParentId', search: true }),
    NameEn: text(),
    NameZh: text(),
    NameEs: text(),
    NameJa: text(),
    ParentId: ref('flowChartTemplateMenu', { as: 'ParentName' }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
  },
})

/** A drawing as a template. It refers to points by name; each picture matches them to points of its devices. */
export const flowChartTemplate = resource('flowChartTemplate', {
  path: '/Project/Ddt/FlowChartTemplate',
  permission: 'm10131',
  title: 'TemplateName',
  order: 'Sort',
  fields: {
    TemplateName: text({ required: true, unique: true, search: true }),
    /** The picture whose draft becomes the template. */
    FlowchartId: ref('flowchart', { required: 'create', set: 'create' }),
    MenuId: ref('flowChartTemplateMenu'),
    PlatformType: choice([1, 2], { required: true, default: 1 }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
    Remark: long(),
  },
})
