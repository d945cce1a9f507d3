import { type TSchema, Type } from 'typebox'
import { call } from './call.ts'
import { Id } from './resource.ts'

// What a person has set for himself: colours, tables, saved views. Own rows only, whatever UserId a call names.

const Colour = Type.String({ pattern: '^#?[0-9a-fA-F]{6}$' })
/** 0 and 1 on the wire; clients that send true and false are understood. */
const Switch = Type.Union([Type.Integer({ minimum: 0, maximum: 1 }), Type.Boolean()])
const themeFields = <S extends TSchema>(flag: S) => ({
  /** `#rrggbb`; taken without the # too. */
  ThemeColor: Colour,
  NavigationBar: Colour,
  Sidebar: Colour,
  BSidebarLogo: flag,
  /** Tag view. */
  BTabbar: flag,
  BFooter: flag,
  /** Matters only while the footer is shown. */
  BFixedFooter: flag,
  /** Ours, beside the specification's fields. */
  Mode: Type.Union([Type.Literal('system'), Type.Literal('light'), Type.Literal('dark')]),
  BCompact: flag,
  BContrast: flag,
})
const themeDraft = Type.Partial(Type.Object(themeFields(Switch)))
const ThemeSet = Type.Object({ Id: Type.Integer(), UserId: Id, ...themeFields(Type.Integer()) })

/** A menu's code, with the list's name behind a dot where a screen holds several. */
const MenuEncoding = Type.String({ pattern: '^[\\w.-]{1,60}$' })
/** Pixels; 32 is the standard. */
export const rowHeights = { standard: 32, least: 24, most: 96 } as const
const Column = Type.Object({
  Field: Type.String({ minLength: 1, maxLength: 60 }),
  /** Pixels; null = as wide as its content. */
  Width: Type.Optional(Type.Union([Type.Integer({ minimum: 40, maximum: 1000 }), Type.Null()])),
  Fixed: Type.Optional(Type.Union([Type.Literal('left'), Type.Literal('right'), Type.Null()])),
  Visible: Type.Integer({ minimum: 0, maximum: 1 }),
  /** Place from the left, from 0. */
  Sort: Type.Integer({ minimum: 0, maximum: 200 }),
})
/** Query is the list's part of the address. */
const View = Type.Object({
  Name: Type.String({ minLength: 1, maxLength: 40 }),
  Query: Type.String({ maxLength: 2000 }),
  IsDefault: Type.Integer({ minimum: 0, maximum: 1 }),
})
const Columns = Type.Array(Column, { maxItems: 100 })
const Views = Type.Array(View, { maxItems: 20 })
const TablePreference = Type.Object({ MenuEncoding: Type.String(), RowHeight: Type.Integer(), Columns, Views })

const DictItem = Type.Object({ DataValue: Type.Union([Type.String(), Type.Integer()]), DataName: Type.String() })
/** By the group's name; values of TestDataTypeDic are numbers. */
export const dictGroups = ['CommonStatus', 'SceneoptionsDic', 'DataSetDic', 'YesOrNoDic', 'TestDataTypeDic', 'TimeZoneDic'] as const
const Dictionaries = Type.Object(Object.fromEntries(dictGroups.map((name) => [name, Type.Array(DictItem)])))

export const preferenceCalls = {
  themeSet: call({
    method: 'GET',
    path: '/System/ThemeSet',
    permission: 'session',
    query: Type.Object({ UserId: Type.Optional(Id) }),
    answer: Type.Union([ThemeSet, Type.Null()]),
  }),
  saveThemeSet: call({ method: 'POST', path: '/System/ThemeSet', permission: 'session', body: themeDraft, answer: ThemeSet }),
  /** Button codes of a menu that the caller may press. */
  menuButtons: call({
    method: 'POST',
    path: '/System/User/MenuBtns',
    permission: 'session',
    reads: true,
    body: Type.Object({ MenuEncoding }),
    answer: Type.Array(Type.String()),
  }),
  menuTable: call({
    method: 'GET',
    path: '/System/User/MenuTable',
    permission: 'session',
    query: Type.Object({ MenuEncoding }),
    answer: TablePreference,
  }),
  rowHeight: call({
    method: 'POST',
    path: '/System/User/TableRowHeight',
    permission: 'session',
    body: Type.Object({ MenuEncoding, RowHeight: Type.Integer({ minimum: rowHeights.least, maximum: rowHeights.most }) }),
    answer: TablePreference,
  }),
  header: call({
    method: 'POST',
    path: '/System/User/TableHeader',
    permission: 'session',
    body: Type.Object({ MenuEncoding, Columns }),
    answer: TablePreference,
  }),
  /** Columns and row height are the list's own again; saved views stay. */
  resetHeader: call({
    method: 'POST',
    path: '/System/User/ResetTableHeader',
    permission: 'session',
    body: Type.Object({ MenuEncoding }),
    answer: TablePreference,
  }),
  /** Ours: the saved views of a list, whole; names differ, one at most is the default. */
  views: call({
    method: 'POST',
    path: '/System/User/TableViews',
    permission: 'session',
    body: Type.Object({ MenuEncoding, Views }),
    answer: TablePreference,
  }),
  dictionaries: call({ method: 'GET', path: '/System/DictData/AllDefaultDictValue', permission: 'session', answer: Dictionaries }),
  languages: call({
    method: 'GET',
    path: '/V3/System/Language/List',
    permission: 'session',
    answer: Type.Object({
      Items: Type.Array(Type.Object({ Id: Type.Integer(), LanguageCode: Type.String(), LanguageName: Type.String() })),
      TotalCount: Type.Integer(),
    }),
  }),
}
