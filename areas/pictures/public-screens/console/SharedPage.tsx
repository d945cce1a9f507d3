import { useEffect } from 'react'
import { Providers } from '../../../../console/shell/Providers.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { PublicPage } from '../../../people/session/console/PublicPage.tsx'
import { PinForm } from './PinForm.tsx'
import { SharedScreen } from './SharedScreen.tsx'
import { useShared } from './useShared.ts'

/** A screen outside the console, opened by a share link. */
const SharedPage = ({ token }: { token: string }) => {
  const t = useWords()
  const { shared, enter } = useShared(token)
  const name = shared.is === 'open' ? shared.opening.ShareName : undefined
  useEffect(() => {
    if (name) document.title = name
  }, [name])
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
  const { opening, lost, ...seen } = shared
  return (
    <Providers>
      <SharedScreen name={opening.ShareName} by={t('shared.by', { company: opening.CompanyName })} seen={seen} lost={lost} />
    </Providers>
  )
}
export default SharedPage
