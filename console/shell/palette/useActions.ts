import { useNavigate } from 'react-router'
import type { Language } from '../../../contract/languages.ts'
import { resourceNamed } from '../../../contract/registry.ts'
import { menuPath } from '../../kernel/plainScreens.ts'
import { chooseLanguage, useMayDo } from '../../session/session.ts'
import { useMode } from '../../theme/mode.ts'
import { language, languages, lower, useWords } from '../../words/words.ts'
import { tray } from '../exports/tray.ts'
import { openHelp } from '../Help.tsx'
import { accountPath, passwordPath } from '../places.ts'
import { report } from '../queries.ts'
import { useSignOut } from '../useSignOut.ts'
import type { Entry } from './recent.ts'
import { alsoOf } from './useFound.ts'

export type Choice = Entry & { act?: () => void }

/** The most frequently added resources. `?add` opens the form in their lists. */
const added = ['gateway', 'device', 'project', 'alarmRule', 'user']

/** The screen with the Connect-a-machine guide. */
const connectPath = '/projectManagement/gatewayManagement'

/** Actions in the palette besides navigation. */
export const useActions = (paths: ReadonlySet<string>): Choice[] => {
  const t = useWords()
  const navigate = useNavigate()
  const leave = useSignOut()
  const may = useMayDo()
  const { mode, set } = useMode()
  const action = (name: string, title: string, act: () => void): Choice => ({
    kind: 'action',
    to: name,
    title,
    also: alsoOf(name.split(' ')[0]!, t),
    act,
  })
  const other = mode === 'dark' ? 'light' : 'dark'
  return [
    action(other, t(`palette.do.${other}`), () => set(other)),
    ...added.flatMap((name) => {
      const r = resourceNamed(name)
      const path = r && menuPath(r.permission)
      if (!path || !paths.has(path) || !may(r, 'add')) return []
      return [action(`add ${name}`, t('list.add', { thing: lower(t(name)) }), () => navigate(`${path}?add=1`))]
    }),
    ...(paths.has(connectPath) && may(resourceNamed('device')!, 'add')
      ? [action('connect', t('connect.title'), () => navigate(`${connectPath}?connect`))]
      : []),
    ...(Object.entries(languages) as [Language, string][])
      .filter(([key]) => key !== language())
      .map(([key, name]) =>
        action(
          `language ${key}`,
          `${t('shell.language')}: ${name}`,
          () => void chooseLanguage(key).catch((error: Error) => report(error.message)),
        ),
      ),
    action('exports', t('exports.title'), tray.open),
    action('account', t('profile.title'), () => navigate(accountPath)),
    action('password', t('menu.m10401'), () => navigate(passwordPath)),
    action('help', t('help.title'), () => openHelp()),
    action('logout', t('session.logout'), () => void leave()),
  ]
}
