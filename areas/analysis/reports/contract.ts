import { type Static, Type } from 'typebox'
import { ById, call, IdList } from '../../../contract/call.ts'
import { ExportTask } from '../../../contract/exports.ts'
import { choice, flag, json, ref, text } from '../../../contract/field.ts'
import { languages } from '../../../contract/languages.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { aboutProperties, abouts, deviceFields } from './about.ts'
import { Block, paperChoices, ReportDocument } from './blocks.ts'

export const reportFormats = ['pdf', 'xlsx', 'csv'] as const
export type ReportFormat = (typeof reportFormats)[number]
/** The range that is looked at, or the last whole day, week, month or year of the company's calendar. */
export const reportPeriods = ['range', 'day', 'week', 'month', 'year'] as const

/** Reports that come with the product. Words at `report.ready.<name>`. */
export const readyReports = {
  operation: [
    { Type: 'keyFigures' },
    { Type: 'curve', Points: 'levels' },
    { Type: 'bars', Points: 'counts' },
    { Type: 'timeTable', Unit: 'day' },
    { Type: 'statistics' },
  ],
  comparison: [{ Type: 'comparison' }, { Type: 'bars', Unit: 'day' }, { Type: 'deviceTable' }],
  availability: [{ Type: 'io' }, { Type: 'bars', Points: 'states' }, { Type: 'coverage' }],
  alarms: [{ Type: 'alarms' }, { Type: 'keyFigures' }, { Type: 'curve' }],
  quality: [{ Type: 'coverage' }, { Type: 'statistics' }],
  daily: [
    { Type: 'keyFigures' },
    { Type: 'curve', Points: 'levels' },
    { Type: 'bars', Points: 'counts', Unit: 'hour' },
    { Type: 'timeTable', Unit: 'hour' },
    { Type: 'alarms' },
  ],
  monthly: [
    { Type: 'keyFigures' },
    { Type: 'bars', Points: 'counts', Unit: 'day' },
    { Type: 'timeTable', Unit: 'day' },
    { Type: 'comparison' },
    { Type: 'coverage' },
  ],
  shifts: [{ Type: 'timeTable', Unit: 'shift' }, { Type: 'io' }, { Type: 'alarms' }, { Type: 'notes' }],
  climate: [
    { Type: 'keyFigures', Points: 'levels' },
    { Type: 'curve', Points: 'levels' },
    { Type: 'histogram' },
    { Type: 'limits' },
    { Type: 'coverage' },
  ],
  counters: [
    { Type: 'keyFigures', Points: 'counts' },
    { Type: 'bars', Points: 'counts' },
    { Type: 'timeTable', Points: 'counts' },
    { Type: 'deviceTable', Points: 'counts' },
  ],
  device: [{ Type: 'keyFigures' }, { Type: 'curve' }, { Type: 'statistics' }, { Type: 'io' }, { Type: 'alarms' }, { Type: 'notes' }],
  journal: [{ Type: 'alarms' }, { Type: 'notes' }, { Type: 'limits' }],
} as const satisfies Record<string, readonly Block[]>
export type ReadyReport = keyof typeof readyReports
export const readyNames = Object.keys(readyReports) as ReadyReport[]

const one = <const T extends readonly string[]>(names: T) => Type.Unsafe<T[number]>(Type.Union(names.map((name) => Type.Literal(name))))
const Time = Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }))

export const ReportAsk = Type.Object({
  ParaIds: IdList(100),
  Report: Type.Unsafe<ReadyReport>(Type.Union(readyNames.map((name) => Type.Literal(name)))),
  ...{ Period: one(reportPeriods), Start: Time, End: Time, Format: one(reportFormats), Language: one(languages) },
  Paper: Type.Optional(one(paperChoices)),
  Waits: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
})
export type ReportAsk = Static<typeof ReportAsk>

/** Blocks of one template. */
export const mostBlocks = 30
const Blocks = Type.Array(Block, { maxItems: mostBlocks })
/** Whole periods of the company's calendar. */
export const wholePeriods = ['day', 'week', 'month', 'year'] as const

/** A report of one's own: parts in their order, about points of a group or of the plant. */
export const reportTemplate = resource('reportTemplate', {
  path: '/DataCenter/ReportTemplate',
  permission: 'm10315',
  title: 'TemplateName',
  order: 'TemplateName',
  fields: {
    TemplateName: text({ required: true, unique: true, search: true, max: 60 }),
    /** Stands above the report; without one, its name does. */
    Heading: text({ max: 100 }),
    About: choice(abouts, { required: true, default: 'group', search: true }),
    GroupId: ref('reportGroup', { search: true, as: 'GroupName' }),
    ProjectId: ref('project', { search: true }),
    ...deviceFields,
    Period: choice(wholePeriods, { required: true, default: 'day' }),
    Paper: choice(paperChoices, { required: true, default: 'auto' }),
    /** 1: pages lie on their long side. */
    Landscape: flag({ required: true, default: 0 }),
    Blocks: json({ required: true, default: [], schema: Blocks }),
  },
})

/** What a template was before a change, newest first. */
export const TemplateVersion = Type.Object({
  ...{ Version: Type.Integer(), TemplateName: Type.String(), Heading: Type.Union([Type.String(), Type.Null()]) },
  ...{ About: one(abouts), ...aboutProperties },
  ...{
    Period: one(wholePeriods),
    ...{ Paper: one(paperChoices), Landscape: Type.Integer() },
    Blocks,
    CreateTime: Type.Integer({ description: 'When it was replaced, epoch ms.' }),
    UserName: Type.Union([Type.String(), Type.Null()], { description: 'Who replaced it, where the log still has it.' }),
  },
})
export type TemplateVersion = Static<typeof TemplateVersion>

export const reportCalls = {
  versions: call({
    ...{ method: 'GET', path: '/DataCenter/ReportTemplate/Versions', permission: 'm10315' },
    ...{ query: ById, answer: Type.Array(TemplateVersion) },
  }),
  /** Restores a version of a template. The current state becomes a version. */
  restoreVersion: call({
    ...{ method: 'POST', path: '/DataCenter/ReportTemplate/Restore', permission: 'm10315.edit' },
    body: Type.Object({ Id, Version: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }),
    answer: ById,
  }),
  /** What a template comes to, of the last whole period. */
  preview: call({
    ...{ method: 'POST', path: '/DataCenter/ReportTemplate/Preview', permission: 'm10315', reads: true },
    body: Type.Object({
      ...{ About: Type.Optional(one(abouts)), ...aboutProperties },
      ...{ Period: one(wholePeriods), Heading: Type.Optional(Type.String({ maxLength: 100 })), Blocks },
      ...{ Paper: Type.Optional(one(paperChoices)), Landscape: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })) },
      Language: one(languages),
    }),
    answer: ReportDocument,
  }),
  /** A report about points as a file, made in the background; it is followed as the other tasks are. */
  start: call({
    ...{ method: 'POST', path: '/Project/ImportExportTask/Report', permission: 'm10303.export' },
    body: ReportAsk,
    answer: ExportTask,
  }),
}
