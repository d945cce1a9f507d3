// What a report is about: the points of a group, of a project, of a device, or of the devices of a model in a project.
import { Type } from 'typebox'
import { ref, text } from '../../../contract/field.ts'
import { Id } from '../../../contract/resource.ts'

export const abouts = ['group', 'project', 'device', 'model'] as const
export type AboutKind = (typeof abouts)[number]

/** Fields that each choice needs; the last one is refused where there are too many points. */
export const fieldsOfAbout = {
  group: ['GroupId'],
  project: ['ProjectId'],
  device: ['DeviceId'],
  model: ['ProjectId', 'ModelId'],
} as const satisfies Record<AboutKind, readonly string[]>
/** Fields that leave some of its points out; a group has chosen points. */
export const filtersOfAbout = ['StandardParaId', 'PointSearch'] as const
export const aboutNames = ['GroupId', 'ProjectId', 'DeviceId', 'ModelId', ...filtersOfAbout] as const

/** Fields of a choice, filters included. A schedule that is about what its template is about has none. */
export const namesOf = (about: AboutKind | 'template'): readonly string[] =>
  about === 'template' ? [] : [...fieldsOfAbout[about], ...(about === 'group' ? [] : filtersOfAbout)]

/** Characters of the words that points are found by. */
const mostSearched = 100
export const deviceFields = {
  DeviceId: ref('device'),
  ModelId: ref('proModel'),
  /** Points of this standard parameter alone. */
  StandardParaId: ref('standardPara', { as: 'StandardCode' }),
  /** Words in the names of device, model and point, as choosers find them. */
  PointSearch: text({ max: mostSearched }),
}

const orNull = <T extends typeof Id>(of: T) => Type.Optional(Type.Union([of, Type.Null()]))
/** The same as a call takes and answers it. */
export const aboutProperties = {
  ...{ GroupId: orNull(Id), ProjectId: orNull(Id), DeviceId: orNull(Id), ModelId: orNull(Id), StandardParaId: orNull(Id) },
  PointSearch: Type.Optional(Type.Union([Type.String({ maxLength: mostSearched }), Type.Null()])),
}
export type About = { About: AboutKind; PointSearch?: string | null } & {
  [K in Exclude<(typeof aboutNames)[number], 'PointSearch'>]?: number | null
}
/** Fields that a choice lacks. */
export const missingOf = (of: About) => fieldsOfAbout[of.About].filter((name) => !of[name])
