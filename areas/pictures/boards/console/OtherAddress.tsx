import { Navigate, useLocation } from 'react-router'
import { allBoards, boardsPath } from './BoardPage.tsx'

/** Redirects the specification's other dashboard addresses: list, view and editor. */
const OtherAddress = () => {
  const { pathname, search } = useLocation()
  const query = new URLSearchParams(search)
  if (!query.has('Id')) return <Navigate replace to={allBoards} />
  if (/\/editor$/i.test(pathname)) query.set('edit', '1')
  return <Navigate replace to={`${boardsPath}?${query}`} />
}
export default OtherAddress
