import { Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { choice, flag, long, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/** A list of values that forms and filters offer; the built-in ones come with the tenant and stay. */
export const dict = resource('dict', {
  path: '/System/Dict',
  permission: 'm10415',
  // Types are the platform's to change (ruling 34); who fills them with values reads them.
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

/** One value of a dictionary. DataName is the fallback for languages without a name. */
export const dataDict = resource('dataDict', {
  path: '/System/DataDict',
  permission: 'm10416',
  title: 'DataName',
  owner: 'DictId',
  order: 'Sort',
  sheets: 'in-out',
  fields: {
    DictId: ref('dict', { required: true, as: 'DictName', set: 'create' }),
    /** Records store it, so it stays. */
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
  /** The enabled values of one dictionary of the caller's tenant, named in his language. */
  valuesOf: call({
    method: 'GET',
    path: '/System/DataDict/DataInfoByDictValue',
    aliases: ['/Project/DataDict/DataInfoByDictValue'],
    permission: 'session',
    query: Type.Object({ DictValue: Type.String({ minLength: 1, maxLength: 50 }) }),
    answer: Type.Array(Entry),
  }),
}
