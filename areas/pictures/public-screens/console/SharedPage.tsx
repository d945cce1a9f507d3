import '../../../../console/theme/lists.css'
import '../../../../console/theme/live.css'
import { useEffect } from 'react'
import { Providers } from '../../../../console/shell/Providers.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { PublicPage } from '../../../people/session/console/PublicPage.tsx'
import { PinForm } from './PinForm.tsx'
import { Board, Picture, Project, SharedOnMap } from './screens.tsx'
import { type Shared, useShared } from './useShared.ts'

const Screen = ({ of: { screen, alarms, opening } }: { of: Extract<Shared, { is: 'open' }> }) => {
  if ('Picture' in screen) return <Picture of={screen.Picture} alarms={alarms} name={opening.ShareName} />
  if ('Board' in screen) return <Board of={screen.Board} />
  return 'Map' in screen ? <SharedOnMap of={screen.Map} /> : <Project of={screen.Project} />
}

/** What a link shows: its screen, whose it is, and whether it still moves. */
const Open = ({ of }: { of: Extract<Shared, { is: 'open' }> }) => {
  const t = useWords()
  const { ShareName, CompanyName } = of.opening
  useEffect(() => {
    document.title = ShareName
  }, [ShareName])
  return (
    <main className="shared">
      <header className="shared-head">
        <h1>{ShareName}</h1>
        <span className="soft">{t('shared.by', { company: CompanyName })}</span>
      </header>
      {of.lost !== undefined && (
        <p className="shared-lost" role="alert">
          <Shape is="warning" /> {t('shared.lost', { time: timeText(of.lost).slice(11) })}
        </p>
      )}
      <Screen of={of} />
    </main>
  )
}

/** A screen outside the console, for whoever has its link. */
const SharedPage = ({ token }: { token: string }) => {
  const t = useWords()
  const { shared, enter } = useShared(token)
  if (shared.is === 'opening') return <Waiting />
  if (shared.is === 'pin') return <PinForm name={shared.name} wrong={shared.wrong} enter={enter} />
  if (shared.is === 'full')
    return (
      <PublicPage title={t('public.title')}>
        <p>{t('shared.full')}</p>
      </PublicPage>
    )
  if (shared.is === 'over')
    return (
      <PublicPage title={t('shared.over')}>
        <p>{t('shared.overText')}</p>
      </PublicPage>
    )
  return (
    <Providers>
      <Open of={shared} />
    </Providers>
  )
}
export default SharedPage
