import '../theme/shell.css'
import '../theme/lists.css'
import '../theme/details.css'
import '../theme/live.css'
import '../theme/drawer.css'
import '../theme/phone.css'
import './tabs/tabs.css'
import './palette/palette.css'
import { memo } from 'react'
import { leaveLists } from '../keys/leaveLists.ts'
import { Providers } from './Providers.tsx'
import { Shell } from './Shell.tsx'

leaveLists()

const shell = <Shell />
/** The shell in its providers. Memoised, because a new antd configuration renders every component below: navigation must not cause one. */
const Console = memo(() => <Providers>{shell}</Providers>)
export default Console
