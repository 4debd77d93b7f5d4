import type { RunsCode } from '../state/permission';

/**
 * Files that a program runs code from by itself: when a folder is opened, by git, with the usual install, build or
 * test, in CI, at a login or a start. Instructions for agents (`AGENTS.md`) run nothing, nor does source code or
 * `.env`. At any depth, or from the root with a leading slash; `*` stays within a name and stands in it once,
 * `/**` is the folder and all in it. In lower case.
 */
export const RUNS_CODE: Readonly<Record<Exclude<RunsCode, 'listed'>, string>> = {
  // Tasks, launches, settings that name programs, MCP servers, extensions; the same of other editors.
  editor: `.vscode/** *.code-workspace .devcontainer/** .devcontainer.json devcontainer.json code*/user/**
    .vscode-server/** .idea/** .zed/** .fleet/** .exrc .vimrc .nvimrc .nvim.lua .config/nvim/** .vim/** .emacs
    .emacs.d/** .dir-locals.el eslint.config.* .eslintrc* prettier.config.* .prettierrc*`,
  // Hooks, fsmonitor, filters and drivers; and what installs or runs hooks.
  git: `.git/** .gitmodules .gitattributes .gitconfig .config/git/** /etc/gitconfig .husky/** .githooks/**
    .pre-commit-config.yaml lefthook.y*ml .lefthook.y*ml .lefthook/** .overcommit.yml .lintstagedrc* lint-staged.config.*
    .hg/** .hgrc`,
  // Scripts around install, build and test, and code that build tools load to read their settings.
  scripts: `package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.* bunfig.toml deno.json deno.jsonc gruntfile.* gulpfile.*
    makefile gnumakefile *.mk justfile .justfile taskfile.y*ml rakefile cmakelists.txt cmakepresets.json
    pyproject.toml setup.py setup.cfg conftest.py noxfile.py tox.ini sitecustomize.py usercustomize.py *.pth
    cargo.toml build.rs .cargo/** gemfile *.gemspec composer.json mix.exs build.sbt package.swift
    build.gradle* settings.gradle* init.gradle* gradlew* gradle/wrapper/** pom.xml mvnw* .mvn/**
    *.csproj *.fsproj *.vbproj *.vcxproj *.targets *.props`,
  ci: `.github/workflows/** .github/actions/** .gitea/workflows/** .forgejo/workflows/** .gitlab-ci.y*ml .circleci/**
    .travis.yml azure-pipelines*.yml azure-pipelines*.yaml .azure-pipelines/** jenkinsfile bitbucket-pipelines.yml .drone.y*ml
    .woodpecker.y*ml .woodpecker/** .buildkite/** appveyor.yml .appveyor.yml .cirrus.yml cloudbuild.y*ml`,
  shell: `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin
    .zlogout .oh-my-zsh/** .kshrc .cshrc .tcshrc .login .inputrc .envrc mise.toml .mise.toml .config/fish/**
    .config/nushell/** .config/powershell/** profile.ps1 microsoft.*profile.ps1 .tmux.conf .config/tmux/**
    /etc/profile /etc/profile.d/** /etc/bashrc /etc/bash.bashrc /etc/environment /etc/zsh* /etc/zsh/** /etc/fish/**`,
  ssh: '.ssh/** authorized_keys authorized_keys2 /etc/ssh/**',
  // Hooks, MCP servers, and what may be run without being asked.
  agents: `.claude/** .claude.json claude_desktop_config.json .mcp.json mcp.json .cursor/** .gemini/** .codex/** .qwen/**
    .opencode/** opencode.json opencode.jsonc .config/opencode/** .copilot/** .goosehints .config/goose/** .kiro/**
    .continue/** .roo/** .cline/** .windsurf/** .codeium/** .kimi/** .factory/** .aider.conf.yml .config/zed/**`,
  startup: `crontab /etc/cron*/** /var/spool/cron/** /etc/anacrontab .config/systemd/** .local/share/systemd/**
    /etc/systemd/** /lib/systemd/** /usr/lib/systemd/** library/launchagents/** library/launchdaemons/**
    .config/autostart/** /etc/xdg/autostart/** /etc/init.d/** /etc/rc.local /etc/ld.so.preload /etc/sudoers
    /etc/sudoers.d/** programs/startup/** .config/environment.d/** .pam_environment .xprofile .xinitrc .xsession`,
};
