import { Breadcrumb } from 'antd'
import { Link, useLocation } from 'react-router'
import { useWords } from '../../../../console/words/words.ts'

export type Step = { name: string; to: string }
/** Navigation path by URL. Tabs have no browser history of their own; a reload starts a new path. */
const trails = new Map<string, readonly Step[]>()
const mostTrails = 200
/** URL of a link from a picture, with the way back. */
export const ledTo = (to: string, from: Step) => {
  if (trails.size >= mostTrails) trails.clear()
  const trail = trails.get(from.to) ?? []
  const at = trail.findIndex((step) => step.to === to)
  // Going back to an earlier picture shortens the path.
  trails.set(to, at >= 0 ? trail.slice(0, at) : [...trail, from].slice(-20))
  return to
}

/** Breadcrumbs: all pictures, and the path to this one. */
export const Trail = ({ name }: { name: string }) => {
  const t = useWords()
  const { pathname, search } = useLocation()
  const trail = trails.get(`${pathname}${search}`) ?? []
  const all = { key: 'all', title: <Link to="/projectManagement/pictures">{t('pictures.all')}</Link> }
  const items = trail.map((step, i) => ({
    key: `${i} ${step.to}`,
    title: <Link to={step.to}>{step.name}</Link>,
  }))
  return (
    <nav className="picture-trail" aria-label={t('pictures.trail')}>
      <Breadcrumb items={[all, ...items, { key: 'here', title: name }]} />
    </nav>
  )
}
