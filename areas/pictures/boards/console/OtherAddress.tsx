import { Navigate, useLocation } from 'react-router'
import { allBoards, boardsPath } from './BoardPage.tsx'

/** The specification's other addresses of dashboards: their list, and one that is looked at or edited. */
const OtherAddress = () => {
  const { pathname, search } = useLocation()
  const query = new URLSearchParams(search)
  if (!query.has('Id')) return <Navigate replace to={allBoards} />
  if (/\/editor$/i.test(pathname)) query.set('edit', '1')
  return <Navigate replace to={`${boardsPath}?${query}`} />
}
export default OtherAddress
