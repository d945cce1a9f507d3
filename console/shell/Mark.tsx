import { useSession } from '../session/session.ts'
import { useThemeSet } from '../theme/themeSet.ts'

/** The tenant's mark, or the product's, and the installation's name at the head of the sidebar. */
export const Mark = ({ name, narrow = false }: { name: string; narrow?: boolean }) => {
  const logo = useSession((s) => s.logo)
  const shown = useThemeSet((s) => s.BSidebarLogo)
  if (!shown) return null
  return (
    <div className="mark">
      <img src={logo || '/penstock.svg'} alt="" width="24" height="24" />
      {!narrow && <span>{name}</span>}
    </div>
  )
}
