import type { Language } from './contract/languages.ts'

type Quote = { language: Language; key: string; quote: string; values?: Record<string, string | number> }

/** What the specification quotes, in the language of its quote. Glossary and rules of style give way to these. */
export const quotedTexts: readonly Quote[] = [
  { language: 'zh', key: 'list.cut', quote: '最多输入40个字符', values: { count: 40 } },
  { language: 'zh', key: 'list.tenantFirst', quote: '请先选择租户' },
  { language: 'zh', key: 'session.noMenus', quote: '账户未授权菜单访问权限' },
  { language: 'en', key: 'notices.alarmWarning_other', quote: '{count} alarm notices, please handle promptly' },
  { language: 'en', key: 'alarmRule.fault.digits', quote: 'exceeds the maximum length of 15' },
  { language: 'en', key: 'validator.cron', quote: 'format is incorrect' },
  { language: 'en', key: 'error.failed', quote: 'operation failed' },
  { language: 'en', key: 'notices.tab.announcements', quote: 'Announcements' },
  { language: 'en', key: 'notices.tab.notifications', quote: 'Notifications' },
  { language: 'en', key: 'notices.tab.alarms', quote: 'Alarms' },
  { language: 'en', key: 'help.step.project', quote: 'Create a project' },
  { language: 'en', key: 'help.step.visual', quote: 'Edit a visualisation' },
  { language: 'en', key: 'help.step.live', quote: 'View real-time data' },
]
