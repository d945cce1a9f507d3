import { useState } from 'react'
import { useLocation } from 'react-router'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { useWords } from '../../../../console/words/words.ts'
import Public from '../../../people/session/console/Public.tsx'
import { PublicPage } from '../../../people/session/console/PublicPage.tsx'
import { shareToken } from './token.ts'

const SharedPage = lazyScreen(() => import('./SharedPage.tsx'))
const TelevisionPage = lazyScreen(() => import('./TelevisionPage.tsx'))

/** A public address: the content of its link, or how to get one (ruling 19). */
const PublicScreen = () => {
  const t = useWords()
  const { pathname } = useLocation()
  const [token] = useState(shareToken)
  if (/^\/template(\/|$)/i.test(pathname))
    return (
      <PublicPage title={t('shared.template')}>
        <p>{t('shared.templateText')}</p>
      </PublicPage>
    )
  if (token) return <SharedPage token={token} />
  return /^\/drag(\/|$)/i.test(pathname) ? <TelevisionPage /> : <Public />
}
export default PublicScreen
