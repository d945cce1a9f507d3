import { type Menu, menus } from '../../../contract/areas/menus.ts'
import type { Language } from '../../../contract/index.ts'
import { word } from '../../http/words.ts'

type Item = {
  Id: number
  ParentId: number
  MenuEncoding: string
  MenuName: string
  Icon: string
  RoutingAddress: string
  FrontComponent: string
  Redirect: string
  MenuType: number
  IsVisible: number
  OpenWith: number
  InternalAndExternalLink: string
  HasChildren: boolean
  MenuChildren: Item[]
}

const item = (m: Menu, parent: Menu | undefined, may: ReadonlySet<string>, language: Language): Item[] => {
  const children = (m.children ?? []).flatMap((child) => item(child, m, may, language))
  if (!may.has(m.code) && !children.length) return []
  const path = parent ? `${parent.path}/${m.path}` : m.path
  return [
    {
      Id: Number(m.code.slice(1)),
      ParentId: parent ? Number(parent.code.slice(1)) : 0,
      MenuEncoding: m.code,
      MenuName: word(language, `menu.${m.code}`),
      Icon: m.icon ?? '',
      RoutingAddress: path,
      FrontComponent: m.children ? 'Layout' : path.slice(1) || 'home',
      Redirect: m.children ? `${path}/${(m.children.find((c) => !c.hidden && may.has(c.code)) ?? m.children[0])!.path}` : '',
      MenuType: m.children ? 0 : 1,
      IsVisible: m.hidden ? 0 : 1,
      OpenWith: 1,
      InternalAndExternalLink: '',
      HasChildren: children.length > 0,
      MenuChildren: children,
    },
  ]
}

/** The part of the menu tree that an actor may see, titled in his language. */
export const menuTree = (may: ReadonlySet<string>, language: Language) => menus.flatMap((m) => item(m, undefined, may, language))
