import { useWords } from '../../../../console/words/words.ts'
import { PublicPage } from './PublicPage.tsx'

/** A public screen shows data only with a share token; without one it says how to get it (ruling 19). */
const Public = () => {
  const t = useWords()
  return (
    <PublicPage title={t('public.title')}>
      <p>{t('public.text')}</p>
      <ol>
        <li>{t('public.ask')}</li>
        <li>{t('public.open')}</li>
      </ol>
    </PublicPage>
  )
}
export default Public
