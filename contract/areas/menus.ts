// The menu tree and, with it, every permission: a menu's code lets its screen be seen and its data be read,
// `<code>.<button>` lets the button be pressed. Titles are words at `menu.<code>`, buttons at `button.<name>`.

export type Menu = {
  code: string
  /** Below the parent's; absolute on the wire (RoutingAddress). */
  path: string
  icon?: string
  /** Hidden menus have a route but no place in the sidebar (ruling 22). */
  hidden?: boolean
  buttons?: readonly string[]
  children?: readonly Menu[]
  /** Route roles of the specification (section 6): everything holds admin. */
  editor?: boolean
}

const crud = ['add', 'edit', 'remove'] as const

export const menus: readonly Menu[] = [
  { code: 'm100', path: '/', icon: 'home', editor: true },
  {
    code: 'm101',
    path: '/projectManagement',
    icon: 'project',
    editor: true,
    children: [
      { code: 'm10101', path: 'projectConfig', buttons: crud, editor: true },
      { code: 'm10102', path: 'gatewayManagement', buttons: [...crud, 'push', 'resetKey', 'command'], editor: true },
      { code: 'm10103', path: 'deviceManagement', buttons: crud, editor: true },
      { code: 'm10104', path: 'pointManagement', buttons: [...crud, 'import', 'export', 'write'], editor: true },
      { code: 'm10105', path: 'gatewayPreView', hidden: true, editor: true },
      { code: 'm10106', path: 'setProtocolPro', hidden: true, buttons: crud, editor: true },
      { code: 'm10107', path: 'devicePointList', hidden: true, editor: true },
      { code: 'm10108', path: 'realTimeData', editor: true },
    ],
  },
  {
    code: 'm102',
    path: '/alarmManagement',
    icon: 'alert',
    editor: true,
    children: [{ code: 'm10201', path: 'alarmInfo', buttons: ['handle', 'acknowledge'], editor: true }],
  },
  {
    code: 'm103',
    path: '/dataAnalysis',
    icon: 'lineChart',
    children: [{ code: 'm10301', path: 'realTimeData' }],
  },
  {
    code: 'm104',
    path: '/systemManagement',
    icon: 'setting',
    editor: true,
    children: [{ code: 'm10401', path: 'personal/password', hidden: true, editor: true }],
  },
]

const below = (m: Menu): string[] => [m.code, ...(m.buttons ?? []).map((b) => `${m.code}.${b}`), ...(m.children ?? []).flatMap(below)]

/** Every permission there is. */
export const permissions: readonly string[] = menus.flatMap(below)
