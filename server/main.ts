// Installed units start this path.
import '../main/server.ts'
