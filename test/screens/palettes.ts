// What the sixteen colours look like in well-known terminals, from black to bright white.

import type { Palette } from './styles.ts';

/** GitHub's themes for terminals (primer/github-vscode-theme), in which the README's pictures are drawn. */
export const githubLight: Palette = {
  name: 'GitHub light',
  foreground: '#1f2328',
  background: '#ffffff',
  colors: [
    ...['#24292f', '#cf222e', '#116329', '#4d2d00', '#0969da', '#8250df', '#1b7c83', '#6e7781'],
    ...['#57606a', '#a40e26', '#1a7f37', '#633c01', '#218bff', '#a475f9', '#3192aa', '#8c959f'],
  ],
};

export const githubDark: Palette = {
  name: 'GitHub dark',
  foreground: '#e6edf3',
  background: '#0d1117',
  colors: [
    ...['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4'],
    ...['#6e7681', '#ffa198', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#ffffff'],
  ],
};

/** The default palette of GNOME Terminal (gnome-terminal, terminal-profiles: GNOME light). */
const gnomeLight: Palette = {
  name: 'GNOME light',
  foreground: '#171421',
  background: '#ffffff',
  colors: [
    ...['#171421', '#c01c28', '#26a269', '#a2734c', '#12488b', '#a347ba', '#2aa1b3', '#d0cfcc'],
    ...['#5e5c64', '#f66151', '#33d17a', '#e9ad0c', '#2a7bde', '#c061cb', '#33c7de', '#ffffff'],
  ],
};

/** Visual Studio Code's dark terminal (microsoft/vscode, terminalColorRegistry.ts). */
const codeDark: Palette = {
  name: 'VS Code dark',
  foreground: '#cccccc',
  background: '#1e1e1e',
  colors: [
    ...['#000000', '#cd3131', '#0dbc79', '#e5e510', '#2472c8', '#bc3fbc', '#11a8cd', '#e5e5e5'],
    ...['#666666', '#f14c4c', '#23d18b', '#f5f543', '#3b8eea', '#d670d6', '#29b8db', '#e5e5e5'],
  ],
};

/** Those in which every text has to be readable: two light ones, two dark ones. */
export const palettes: readonly Palette[] = [githubLight, gnomeLight, githubDark, codeDark];
