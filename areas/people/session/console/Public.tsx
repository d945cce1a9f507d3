import { Link, useLocation } from 'react-router'
import { useWords } from '../../../../console/words/words.ts'
import { PublicPage } from './PublicPage.tsx'

/** A public screen shows data only with a share token; without one it explains how to get it (ruling 19). */
const Public = () => {
  const t = useWords()
  const isMap = /^\/map/i.test(useLocation().pathname)
  return (
    <PublicPage title={t('public.title')}>
      <p>{t('public.text')}</p>
      <ol>
        <li>{t('public.ask')}</li>
        <li>{t('public.open')}</li>
      </ol>
      {isMap && (
        <p>
          <Link to="/visualizationCenter/map">{t('public.map')}</Link>
        </p>
      )}
    </PublicPage>
  )
}
export default Public
