import { Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { choice, flag, long, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/** A lookup list for forms and filters; built-in lists come with the tenant and cannot be removed. */
export const dict = resource('dict', {
  path: '/System/Dict',
  permission: 'm10415',
  // Only the platform changes types (ruling 34); users who edit values can read them.
  readBy: 'm10416',
  title: 'DictName',
  order: 'DictCode',
  fields: {
    DictCode: text({ required: true, unique: true, search: true, set: 'create', pattern: '^[A-Za-z]\\w*$' }),
    DictName: text({ required: true, search: true }),
    IsSystem: flag({ set: 'never', default: 0 }),
    Remark: long(),
  },
})

/** A lookup value. DataName is the fallback for languages without a name. */
export const dataDict = resource('dataDict', {
  path: '/System/DataDict',
  permission: 'm10416',
  title: 'DataName',
  owner: 'DictId',
  order: 'Sort',
  sheets: 'in-out',
  fields: {
    DictId: ref('dict', { required: true, as: 'DictName', set: 'create' }),
    /** Records store it, so it cannot change. */
    DataValue: text({ required: true, unique: 'DictId', search: true, set: 'create' }),
    DataName: text({ required: true, search: true, max: 80 }),
    NameEn: text({ max: 80 }),
    NameZh: text({ max: 80 }),
    NameEs: text({ max: 80 }),
    NameJa: text({ max: 80 }),
    Colour: text({ max: 7, pattern: '^#[0-9a-fA-F]{6}$' }),
    Status: choice([1, 0], { required: true, default: 1, search: true }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
    IsSystem: flag({ set: 'never', default: 0 }),
  },
})

const Entry = Type.Object({ DataValue: Type.String(), DataName: Type.String(), Colour: Type.Union([Type.String(), Type.Null()]) })

export const dictionaryCalls = {
  /** The enabled values of a lookup list in the caller's tenant and language. */
  valuesOf: call({
    method: 'GET',
    path: '/System/DataDict/DataInfoByDictValue',
    aliases: ['/Project/DataDict/DataInfoByDictValue'],
    permission: 'session',
    query: Type.Object({ DictValue: Type.String({ minLength: 1, maxLength: 50 }) }),
    answer: Type.Array(Entry),
  }),
}
